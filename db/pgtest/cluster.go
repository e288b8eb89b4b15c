package pgtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// startTime bounds the making and starting of the cluster.
const startTime = time.Minute

// cluster is this process's use of the server that all test processes share.
type cluster struct {
	server *localpg.Server
	// life is the end of a pipe that the keeper reads. The system closes it when this process ends.
	life  *os.File
	names atomic.Int64

	mu        sync.Mutex
	templates map[string]*template
}

// joined is the one of this process: a test process has no end at which to give it back, and none
// of its tests is the last.
//
//nolint:gochecknoglobals // See above.
var joined = sync.OnceValues(newCluster)

func join(t testing.TB) *cluster {
	t.Helper()

	cluster, err := joined()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}

	return cluster
}

func newCluster() (*cluster, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()

	cfg, err := config(ctx)
	if err != nil {
		return nil, err
	}

	server, err := localpg.Start(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("start the test cluster (its folder may be removed when no test runs): %w", err)
	}

	life, err := startKeeper(cfg)
	if err != nil {
		return nil, errors.Join(err, server.Close(ctx))
	}

	// From here on the keeper is this process's stake in the server.
	if err := server.Close(ctx); err != nil {
		return nil, errors.Join(err, life.Close())
	}

	made := &cluster{server: server, life: life, templates: map[string]*template{}}

	return made, made.sweep(ctx)
}

// config is the same for all test processes of one user, checkout and major version of Postgres.
func config(ctx context.Context) (localpg.Config, error) {
	_, self, _, _ := runtime.Caller(0) //nolint:dogsled // only the file is wanted
	checkout := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	binDir := os.Getenv("HUB_POSTGRES_BIN")

	programs, err := localpg.FindPrograms(ctx, binDir)
	if errors.Is(err, localpg.ErrNoPrograms) && binDir == "" {
		// A test runs in its package's folder, so that what the build brought along is not seen from there.
		binDir = filepath.Join(checkout, ".build", "postgres", "bin")
		if brought, errBrought := localpg.FindPrograms(ctx, binDir); errBrought == nil {
			programs, err = brought, nil
		}
	}

	if err != nil {
		return localpg.Config{}, fmt.Errorf("find Postgres: %w", err)
	}

	folder := fmt.Sprintf("sdlc-hub-test-%d-%.4x-pg%d", os.Getuid(), sha256.Sum256([]byte(checkout)), programs.Major)

	return localpg.Config{
		DataDir: filepath.Join(os.TempDir(), folder),
		BinDir:  programs.Dir,
		Unsafe:  true,
		Settings: map[string]string{
			"max_connections": "400",
			// A crash loses nothing that a test would miss, and the log is quieter without.
			"log_checkpoints": "off",
			"max_wal_size":    "4GB",
		},
	}, nil
}

// name is a new one for a database of this process, from which a later one can tell whether this
// process is still there.
func (c *cluster) name(kind string) string {
	return kind + "_" + strconv.Itoa(os.Getpid()) + "_" + strconv.FormatInt(c.names.Add(1), 10)
}
