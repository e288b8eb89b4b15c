package agent

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// hub is the one that all tests share, each in a site of its own.
var hub *hubtest.Hub //nolint:gochecknoglobals // made once for all tests, and only read by them

func TestMain(m *testing.M) {
	code, err := runWithHub(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)

		code = 1
	}

	os.Exit(code)
}

func runWithHub(m *testing.M) (code int, err error) {
	// They mostly wait for the hub; whoever says how many may run at once is heard.
	flag.Parse()

	if said := flag.Lookup("test.parallel"); said.Value.String() == said.DefValue {
		if err := said.Value.Set("8"); err != nil {
			return 1, fmt.Errorf("let more tests run at once: %w", err)
		}
	}

	folder, err := os.MkdirTemp("", "agent-test-")
	if err != nil {
		return 1, fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	program, err := hubtest.Build(context.Background(), "..", folder)
	if err != nil {
		return 1, err
	}

	database := &suite{}
	defer database.clean()

	hub, err = hubtest.Start(context.Background(), program, pgtest.New(database), folder)
	if err != nil {
		return 1, err
	}

	code = m.Run()

	if err := hub.Stop(); err != nil {
		return 1, err
	}

	if code == 0 {
		err = goleak.Find(goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
	}

	return code, err
}
