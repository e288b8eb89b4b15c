package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed peers/yoga/package.json peers/yoga/package-lock.json peers/yoga/server.mjs
var yogaFiles embed.FS

const yogaIn = "peers/yoga"

// installYoga lays graphql-yoga and what it needs, as the lock file has it, into a folder of the project's own that no
// one commits, and keeps it there from one run to the next.
func installYoga(ctx context.Context) (folder string, err error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the project's folder: %w", err)
	}

	folder = filepath.Join(string(bytes.TrimSpace(root)), ".build", "yoga")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", fmt.Errorf("make a folder for graphql-yoga: %w", err)
	}

	lock, err := yogaFiles.ReadFile(yogaIn + "/package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the lock file: %w", err)
	}

	for _, name := range []string{"package.json", "package-lock.json", "server.mjs"} {
		content, err := yogaFiles.ReadFile(yogaIn + "/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), content, 0o600)
		}

		if err != nil {
			return "", fmt.Errorf("lay graphql-yoga's files down: %w", err)
		}
	}

	installed := filepath.Join(folder, "node_modules", "installed-from")
	if from, err := os.ReadFile(installed); err == nil && bytes.Equal(from, lock) {
		return folder, nil
	}

	install := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = folder

	if said, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci in %s: %w\n%s", folder, err, said)
	}

	return folder, wrap("remember what was installed", os.WriteFile(installed, lock, 0o600))
}

// hasNode tells whether there is what graphql-yoga needs.
func hasNode() bool {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return false
		}
	}

	return true
}

// startYoga runs graphql-yoga with graphql-ws.
func startYoga(ctx context.Context) (*process, error) {
	folder, err := installYoga(ctx)
	if err != nil {
		return nil, err
	}

	return startProcess(ctx, "node", []string{filepath.Join(folder, "server.mjs")}, "NODE_ENV=production")
}
