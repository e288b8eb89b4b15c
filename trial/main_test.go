package trial

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// hubProgram is the hub, built with the race detector.
var hubProgram string //nolint:gochecknoglobals // built once for all tests, and only read by them

// The sizes are what CI has the time for; a longer trial says more.
//
//nolint:gochecknoglobals // flags
var (
	operations = flag.Int("trial.operations", 20_000, "how many operations two hundred clients make, half of them on one site")
	kills      = flag.Int("trial.kills", 20, "how often hub and Postgres are killed, in whole rounds of twenty-one")
	seed       = flag.Uint64("trial.seed", 20_261_130, "what the random choices begin with")
)

func TestMain(m *testing.M) {
	flag.Parse()

	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)

		code = 1
	}

	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	folder, err := os.MkdirTemp("", "trial-")
	if err != nil {
		return 1, fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	hubProgram = filepath.Join(folder, "hub")

	build := exec.CommandContext(context.Background(), "go", "build", "-race", "-o", hubProgram, "./cmd/hub")
	build.Dir = ".."

	if said, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build the hub: %w\n%s", err, said)
	}

	if code = m.Run(); code != 0 {
		return code, nil
	}

	if err := goleak.Find(); err != nil {
		return 1, fmt.Errorf("after all tests: %w", err)
	}

	return 0, nil
}
