package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Start uses the data folder's Postgres: it makes the cluster if there is none, starts the server
// if none runs, and returns when it accepts connections. The caller must Close what it got; one
// that ends without is taken for having left.
//
// It waits until ctx is over, at most: for others who start or stop the same server, and for a
// server that recovers after a crash. A server that ends before it accepts connections is an error
// with the last lines of its log. See [ErrNoPrograms], [ErrOtherMajor], [ErrForeignFolder] and
// [ErrImpassable] for the others; all leave the data as it was.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	server, err := open(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("private Postgres: %w", err)
	}

	if err := server.enter(ctx); err != nil {
		return nil, fmt.Errorf("private Postgres: %w", err)
	}

	return server, nil
}

// open checks the data folder and makes it ready, and holds no lock yet.
func open(ctx context.Context, cfg Config) (*Server, error) {
	path, err := dataFolder(ctx, cfg.DataDir)
	if err != nil {
		return nil, err
	}

	found, err := look(path)
	if err != nil {
		return nil, err
	}

	owner, err := serverAccount(found.owner, found.hasCluster)
	if err != nil {
		return nil, err
	}

	if !found.hasCluster { // Nothing is made where it could not be filled.
		if _, err := choose(ctx, usualPlaces(cfg.BinDir), owner, path, ""); err != nil {
			return nil, err
		}
	}

	if err := prepare(ctx, path, owner); err != nil {
		return nil, err
	}

	server := &Server{cfg: cfg, path: path, owner: owner}
	if server.root, err = os.OpenRoot(path); err != nil {
		return nil, fmt.Errorf("open the data folder: %w", err)
	}

	if server.start, err = openLock(server.root, startLockName, owner); err != nil {
		return nil, errors.Join(err, server.root.Close())
	}

	if server.users, err = openLock(server.root, usersLockName, owner); err != nil {
		return nil, errors.Join(err, server.start.Close(), server.root.Close())
	}

	return server, nil
}

func dataFolder(ctx context.Context, path string) (string, error) {
	if path == "" {
		byDefault, err := DefaultDataDir()
		if err != nil {
			return "", err
		}

		path = byDefault
	}

	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("data folder %s: %w", path, err)
	}

	if os.Geteuid() != 0 { // Else nothing is hidden from the caller, and the account's turn comes later.
		caller, err := serverAccount(0, false)
		if err != nil {
			return "", err
		}

		if err := passable(ctx, filepath.Dir(path), caller); err != nil {
			return "", err
		}
	}

	return resolve(path)
}

// enter becomes a user of the server and sees to it that it runs.
func (s *Server) enter(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if err := lock(ctx, s.start, syscall.LOCK_EX); err != nil {
		return errors.Join(err, s.release())
	}

	err := s.enterLocked(ctx)
	if err != nil {
		// What was started for nobody is stopped again, also when it is ctx that ended.
		return errors.Join(err, s.leave(context.WithoutCancel(ctx)))
	}

	if err := unlock(s.start); err != nil {
		return errors.Join(err, s.release())
	}

	return nil
}

func (s *Server) enterLocked(ctx context.Context) error {
	alone, err := tryLock(s.users, syscall.LOCK_EX)
	if err != nil {
		return err
	}

	// Nobody waits for this lock but leavers, who hold the start lock while they do.
	if err := lock(ctx, s.users, syscall.LOCK_SH); err != nil {
		return err
	}

	found, err := look(s.path) // Again: another process may have made the cluster meanwhile.
	if err != nil {
		return err
	}

	if alone {
		if err := s.sweep(ctx); err != nil {
			return err
		}
	}

	if !found.hasCluster {
		if err := s.makeCluster(ctx); err != nil {
			return err
		}
	}

	begun := time.Now()

	launched, err := s.run(ctx, alone)
	if err != nil {
		return err
	}

	if err := s.ensureDatabase(ctx); err != nil {
		return err
	}

	s.cfg.log().InfoContext(ctx, "private Postgres is ready", "data", s.path, "version", s.version,
		"account", s.owner.name, "started", launched, "took", time.Since(begun).Round(time.Millisecond))

	return nil
}
