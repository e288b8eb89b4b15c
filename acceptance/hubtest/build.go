package hubtest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build compiles the hub's program under the race detector from the module at
// root into dir and returns the program's path. The error carries the
// compiler's words.
func Build(ctx context.Context, root, dir string) (string, error) {
	program := filepath.Join(dir, "hub")
	build := exec.CommandContext(ctx, "go", "build", "-race", "-o", program, "./cmd/hub")
	build.Dir = root
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the hub: %w\n%s", err, said)
	}
	return program, nil
}
