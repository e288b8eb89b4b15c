package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestAWrongValueEndsWithCodeTwoAndOneLine(t *testing.T) {
	const (
		noTime = " is no time: it is written in h, m and s, such as 720h or 1h30m, and is at most 2562047h\n"
		hint   = "; hub --help lists the commands, hub version prints the version\n"
	)

	for _, tried := range []struct {
		args []string
		line string
	}{
		{[]string{"version", "--rate-limit=NaN"}, "hub: --rate-limit (HUB_RATE_LIMIT) must be a number from 0.001 to 1000000, not NaN\n"},
		{[]string{"version", "--rate-limit=Inf"}, "hub: --rate-limit (HUB_RATE_LIMIT) must be a number from 0.001 to 1000000, not +Inf\n"},
		{[]string{"version", "--rate-limit=1e-300"}, "hub: --rate-limit (HUB_RATE_LIMIT) must be a number from 0.001 to 1000000, not 1e-300\n"},
		{[]string{"version", "--rate-limit=1000001"}, "hub: --rate-limit (HUB_RATE_LIMIT) must be a number from 0.001 to 1000000, not 1.000001e+06\n"},
		{[]string{"version", "--rate-limit=0"}, "hub: --rate-limit (HUB_RATE_LIMIT) must be a number from 0.001 to 1000000, not 0\n"},
		{[]string{"version", "--keep-events=59m"}, "hub: --keep-events (HUB_KEEP_EVENTS) must be 1h or more, such as 2160h for 90 days, not 59m0s\n"},
		{[]string{"version", "--keep-events=-2160h"}, "hub: --keep-events (HUB_KEEP_EVENTS) must be 1h or more, such as 2160h for 90 days, not -2160h0m0s\n"},
		{[]string{"version", "--keep-events=90d"}, "hub: --keep-events: \"90d\"" + noTime},
		{[]string{"token", "create", "--role=viewer", "--name=x", "--expires=9000000h"}, "hub: --expires: \"9000000h\"" + noTime},
		{[]string{"version", "--rate-limit=abc"}, "hub: --rate-limit: \"abc\" is no number\n"},
		{[]string{"version", "--database-conns=1e3"}, "hub: --database-conns: \"1e3\" is no whole number, or too large a one\n"},
		{nil, "hub: expected one of \"serve\", \"demo\", \"migrate\", \"site\", \"token\", ..." + hint},
		{[]string{"help"}, "hub: unexpected argument help" + hint},
		{[]string{"--version"}, "hub: unknown flag --version" + hint},
		{[]string{"foo"}, "hub: unexpected argument foo" + hint},
		{
			[]string{"serve", "--listen=127.0.0.1:99999"},
			"hub: --listen (HUB_LISTEN) must end with a port from 0 to 65535, such as 127.0.0.1:8080, not \"127.0.0.1:99999\"\n",
		},
		{
			[]string{"serve", "--tls-cert=run_test.go", "--tls-key=run_test.go"},
			"hub: --tls-cert (HUB_TLS_CERT) and --tls-key (HUB_TLS_KEY): tls: failed to find any PEM data in certificate input\n",
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
	// Whoever looked for Postgres would not find it, and say so instead.
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
	if code := run([]string{"site", "create", "a"}, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "no Postgres server programs found in ") {
		t.Errorf("where Postgres is needed: %d, %q", code, errs.String())
	}
}

func TestADataFolderThatCannotBeOneEndsWithCodeTwo(t *testing.T) {
	for _, folder := range []string{"run_test.go", "run_test.go/below"} {
		var out, errs bytes.Buffer
		if code := run([]string{"token", "list", "--data-dir", folder}, &out, &errs); code != exitUsage || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: %d, %q", folder, code, errs.String())
		}
	}
}

func TestTheHelpTellsEveryDefault(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"--help"}, &out, &errs); code != exitDone {
		t.Fatalf("got %d, %q", code, errs.String())
	}

	for _, wanted := range []string{`--listen="127.0.0.1:8080"`, "--rate-limit=1000", "--database-conns=20", "--keep-events=2160h"} {
		if !strings.Contains(out.String(), wanted) {
			t.Errorf("it does not tell %s:\n%s", wanted, out.String())
		}
	}
}
