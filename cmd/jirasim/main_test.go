package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAWrongValueEndsWithCodeTwoAndOneLine(t *testing.T) {
	t.Parallel()

	for _, tried := range []struct {
		args []string
		code int
		line string
	}{
		{[]string{"--dialect=server"}, exitUsage, "jirasim: --dialect must be one of \"cloud\",\"dc\" but got \"server\"\n"},
		{[]string{"more"}, exitUsage, "jirasim: unexpected argument more\n"},
		{[]string{"--listen=127.0.0.1:99999"}, exitFailed, "jirasim: listening: listen tcp: address 99999: invalid port\n"},
	} {
		var out, errs bytes.Buffer

		if code := run(tried.args, &out, &errs); code != tried.code || errs.String() != tried.line || out.Len() > 0 {
			t.Errorf("%s: got %d, %q, %q", tried.args, code, errs.String(), out.String())
		}
	}
}

func TestItSaysWhereItIsAndHowToLogIn(t *testing.T) {
	t.Parallel()

	ctx, stop := context.WithCancel(t.Context())
	defer stop()

	said, out := io.Pipe()
	ended := make(chan error, 1)

	go func() {
		ended <- serve(ctx, out, settings{Listen: "127.0.0.1:0", Dialect: "dc", Token: "sim-token"})
		_ = out.Close()
	}()

	var greeting strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan(); {
		greeting.WriteString(lines.Text() + "\n")

		if strings.Contains(lines.Text(), "token") {
			break
		}
	}

	parts := regexp.MustCompile(`^A simulated Jira \(dc\) at (http://127.0.0.1:\d+)\n  user   (\S+)\n  token  (\S+)\n$`).FindStringSubmatch(greeting.String())
	if parts == nil {
		t.Fatalf("it says %q", greeting.String())
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, parts[1]+"/rest/api/2/myself", nil)
	if err != nil {
		t.Fatal(err)
	}

	r.SetBasicAuth(parts[2], parts[3])

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}

	_ = answer.Body.Close()

	if answer.StatusCode != http.StatusOK {
		t.Error("the login that it says is answered with", answer.StatusCode)
	}

	http.DefaultClient.CloseIdleConnections()
	stop()

	if err := <-ended; err != nil {
		t.Error(err)
	}
}
