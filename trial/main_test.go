package trial

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	crowd      = flag.Int("trial.crowd", 600, "how many subscribers follow two hubs that are restarted, with a Postgres that is too")
	seed       = flag.Uint64("trial.seed", 20_261_130, "what the random choices begin with")
)

func TestMain(m *testing.M) {
	flag.Parse()

	if told := os.Getenv(partVariable); told != "" {
		os.Exit(bePart(told))
	}

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
	if err := buildHub(context.Background(), hubProgram, "-race"); err != nil {
		return 1, err
	}

	if code = m.Run(); code != 0 {
		return code, nil
	}

	if err := goleak.Find(); err != nil {
		return 1, fmt.Errorf("after all tests: %w", err)
	}

	return 0, nil
}

// buildHub builds the hub into that file.
func buildHub(ctx context.Context, into string, flags ...string) error {
	build := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", into}, flags, []string{"./cmd/hub"})...)
	build.Dir = ".."

	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the hub: %w\n%s", err, said)
	}

	return nil
}
