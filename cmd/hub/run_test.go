package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestAWrongValueEndsWithCodeTwoAndOneLine(t *testing.T) {
	for _, tried := range []struct {
		args []string
		line string
	}{
		{[]string{"version", "--rate-limit=NaN"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not NaN\n"},
		{[]string{"version", "--rate-limit=Inf"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not +Inf\n"},
		{[]string{"version", "--rate-limit=1e-300"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 1e-300\n"},
		{[]string{"version", "--rate-limit=1000001"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 1.000001e+06\n"},
		{[]string{"version", "--rate-limit=0"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 0\n"},
		{[]string{"version", "--keep-events=59m"}, "hub: HUB_KEEP_EVENTS must be 1h or more, such as 2160h for 90 days, not 59m0s\n"},
		{[]string{"version", "--keep-events=-2160h"}, "hub: HUB_KEEP_EVENTS must be 1h or more, such as 2160h for 90 days, not -2160h0m0s\n"},
		{[]string{"version", "--keep-events=90d"}, "hub: --keep-events: expected duration but got \"90d\": time: unknown unit \"d\" in duration \"90d\"\n"},
		{
			[]string{"serve", "--listen=127.0.0.1:99999"},
			"hub: HUB_LISTEN must end with a port from 0 to 65535, such as 127.0.0.1:8080, not \"127.0.0.1:99999\"\n",
		},
		{
			[]string{"serve", "--tls-cert=run_test.go", "--tls-key=run_test.go"},
			"hub: HUB_TLS_CERT and HUB_TLS_KEY: tls: failed to find any PEM data in certificate input\n",
		},
		{[]string{"serve", "--log-level=loud"}, "hub: --log-level must be one of \"debug\",\"info\",\"warn\",\"error\" but got \"loud\"\n"},
		{[]string{"token", "create", "--role=king", "--name=x"}, "hub: --role must be one of \"viewer\",\"operator\",\"agent\",\"admin\" but got \"king\"\n"},
		{[]string{"token", "create", "--role=viewer"}, "hub: missing flags: --name=STRING\n"},
	} {
		t.Run(strings.Join(tried.args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer

			if code := run(tried.args, &out, &errs); code != exitUsage || errs.String() != tried.line || out.Len() > 0 {
				t.Errorf("got %d, %q, %q", code, errs.String(), out.String())
			}
		})
	}
}

func TestAWrongNameOrTimeEndsWithCodeTwoBeforeAnyPostgresIsLookedFor(t *testing.T) {
	// Whoever looked for Postgres would not find it, and end with another code.
	t.Setenv("HUB_POSTGRES_BIN", t.TempDir())
	t.Setenv("HUB_DATA_DIR", t.TempDir())

	long := strings.Repeat("n", 101)
	create := func(more ...string) []string { return append([]string{"token", "create", "--role=viewer"}, more...) }
	notNamedSo := " is no name for a token: it has 1 to 100 printable characters and no space around it\n"
	noSiteName := " is no name for a site: it has 1 to 100 letters, digits, hyphens, underscores and dots\n"
	noLifetime := ": it is valid for 1s to 876000h, or until revoked\n"

	for _, tried := range []struct {
		args []string
		line string
	}{
		{[]string{"site", "create", ""}, `""` + noSiteName},
		{[]string{"site", "create", "a b"}, `"a b"` + noSiteName},
		{[]string{"site", "create", long}, `"` + long + `"` + noSiteName},
		{create("--name="), `""` + notNamedSo},
		{create("--name=a\tb"), `"a\tb"` + notNamedSo},
		{create("--name=" + long), `"` + long + `"` + notNamedSo},
		{create("--name=a", "--site="), `""` + noSiteName},
		{create("--name=a", "--expires=0s"), "a token cannot expire after 0s" + noLifetime},
		{create("--name=a", "--expires=-1h"), "a token cannot expire after -1h0m0s" + noLifetime},
		{create("--name=a", "--expires=1ns"), "a token cannot expire after 1ns" + noLifetime},
		{create("--name=a", "--expires=2000000h"), "a token cannot expire after 2000000h0m0s" + noLifetime},
		{[]string{"token", "revoke", ""}, `""` + notNamedSo},
	} {
		t.Run(strings.Join(tried.args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer

			if code := run(tried.args, &out, &errs); code != exitUsage || errs.String() != "hub: "+tried.line || out.Len() > 0 {
				t.Errorf("got %d, %q, %q", code, errs.String(), out.String())
			}
		})
	}

	var out, errs bytes.Buffer
	if code := run([]string{"site", "create", "a"}, &out, &errs); code != exitFailed {
		t.Errorf("where Postgres is needed: %d, %q", code, errs.String())
	}
}
