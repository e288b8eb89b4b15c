package main

import (
	"bytes"
	"net"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

func TestAHubThatCannotListenMakesNoTokens(t *testing.T) {
	t.Setenv("HUB_DATABASE_URL", pgtest.New(t))

	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()

	address := taken.Addr().String()
	line := "hub: cannot listen on " + address + ": bind: address already in use; " +
		"end what listens there, or name another address with --listen (HUB_LISTEN)\n"

	var out, errs bytes.Buffer

	if code := run([]string{"serve", "--listen", address}, &out, &errs); code != exitFailed || errs.String() != line || out.Len() > 0 {
		t.Errorf("got %d, %q, %q", code, errs.String(), out.String())
	}

	if code := run([]string{"token", "list"}, &out, &errs); code != exitDone || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("got %d, and the tokens\n%s", code, out.String())
	}
}
