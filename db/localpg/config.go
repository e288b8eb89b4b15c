package localpg

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

// Database is the database that every cluster has, owned by the role of [Server.URL].
const Database = "hub"

const (
	ownerRole = "hub"
	adminRole = "postgres"
	adminDB   = "postgres"
	port      = 5432 // Only names the socket file; nothing listens on a network.
)

// Config says which server [Start] starts. The zero value is usable.
type Config struct {
	// DataDir is the data folder; empty means [DefaultDataDir]. It is made if it is missing.
	DataDir string
	// BinDir is the only folder to take Postgres' programs from; empty means that they are looked for.
	BinDir string
	// Log gets a line for what a person would want to know; nil means silence.
	Log *slog.Logger
	// Unsafe trades the data's survival of a power cut for speed (no fsync). For tests.
	Unsafe bool
	// Settings are server settings that go over this package's and over postgresql.conf.
	// Like Unsafe and BinDir they count when this call starts the server; a server that
	// runs already is used as it is.
	Settings map[string]string
}

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}

	return c.Log
}

// DefaultDataDir is /var/lib/sdlc-hub for root; for anyone else sdlc-hub in
// $XDG_DATA_HOME or, without one, in ~/.local/share. It fails for a user without a home.
func DefaultDataDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/sdlc-hub", nil
	}

	// The base directory specification has relative paths ignored.
	if base := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "sdlc-hub"), nil
	}

	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no default data folder, name one with HUB_DATA_DIR: %w", err)
	}

	if !filepath.IsAbs(home) {
		return "", errors.New("no default data folder, name one with HUB_DATA_DIR: the home directory is not an absolute path")
	}

	return filepath.Join(home, ".local", "share", "sdlc-hub"), nil
}
