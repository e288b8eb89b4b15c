package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// noLimit is a rate of operations that no bench comes near.
const noLimit = 1_000_000

// program is the hub as it is built, once a run, when the first row asks for it.
type program struct{ folder string }

func (p *program) build(ctx context.Context) (path string, err error) {
	if p.folder == "" {
		folder, err := os.MkdirTemp("", "sdlc-hub-bench-")
		if err != nil {
			return "", fmt.Errorf("make a folder: %w", err)
		}

		p.folder = folder

		said, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", p.path(), "github.com/sdlc-hub/sdlc-hub/cmd/hub").
			CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build the hub: %w\n%s", err, said)
		}
	}

	return p.path(), nil
}

func (p *program) path() string { return filepath.Join(p.folder, "hub") }

func (p *program) remove() error {
	if p.folder == "" {
		return nil
	}

	return wrap("remove the built hub", os.RemoveAll(p.folder))
}

// startHub runs the hub in a process of its own, as it is delivered but for the limit of its rate.
func (b *bench) startHub(ctx context.Context, database string, env ...string) (*process, error) {
	path, err := b.program.build(ctx)
	if err != nil {
		return nil, err
	}

	return startProcess(ctx, path, []string{"serve"}, append(env,
		"HUB_LISTEN=127.0.0.1:0", "HUB_DATABASE_URL="+database, "HUB_RATE_LIMIT="+strconv.Itoa(noLimit))...)
}
