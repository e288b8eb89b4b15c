package localpg

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// launcher starts the server in the background and prints its process number. The shell between
// makes the server nobody's child, so that it can outlive its starter and no user has to wait for
// its end; whoever starts it is not the one who must stop it.
const launcher = `"$@" </dev/null >&3 2>&3 3>&- & echo $!`

const wordEvery = 10 * time.Second // That a person who waits gets a line.

// launch starts the server and waits until it accepts connections. The caller holds the start lock
// and has made sure that none runs.
func (s *Server) launch(ctx context.Context) error {
	found, err := look(s.path)
	if err != nil {
		return err
	}

	programs, err := s.programs(ctx, found.major)
	if err != nil {
		return err
	}

	if err := s.handCluster(); err != nil {
		return err
	}

	socketDir, err := claimSocketDir(ctx, s.path, s.owner)
	if err != nil {
		return err
	}

	log, err := s.openLog()
	if err != nil {
		return err
	}

	pid, err := s.spawn(ctx, programs, socketDir, log)
	if err := errors.Join(err, log.file.Close()); err != nil {
		return err
	}

	err = s.await(ctx, socketDir, port, func() bool { return lives(pid) })
	if err == nil {
		return nil
	}

	abandon(pid) // It may not even have a pid file yet by which to stop it later.

	if errors.Is(err, errServerGone) {
		return fmt.Errorf("%w; its log (%s) ends:\n%s", err, filepath.Join(s.path, logName), s.logTail(log.begin))
	}

	return err
}

func (s *Server) spawn(ctx context.Context, programs Programs, socketDir string, log serverLog) (int, error) {
	args := append([]string{"-c", launcher, "sh", filepath.Join(programs.Dir, "postgres"), "-D", s.cluster()},
		settings(s.cfg, socketDir)...)
	cmd := exec.CommandContext(ctx, "/bin/sh", args...) //nolint:gosec // A constant script; the rest are its arguments.
	// A session of its own: a Ctrl-C or a hang-up of the caller's terminal does not reach it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.ExtraFiles = append(cmd.ExtraFiles, log.file)
	s.owner.run(cmd, s.path)

	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", programs.Dir, err)
	}

	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, fmt.Errorf("start %s: process number: %w", programs.Dir, err)
	}

	return pid, nil
}

// await waits until the server accepts connections and notes how it is reached. It gives
// errServerGone when alive says that there is nothing to wait for any more.
func (s *Server) await(ctx context.Context, socketDir string, port int, alive func() bool) error {
	poll := time.NewTicker(startPoll)
	defer poll.Stop()

	config, err := pgconn.ParseConfig(socketURL(socketDir, port, adminRole, adminDB))
	if err != nil { // By a PG* variable of the environment.
		return fmt.Errorf("connect to the server: %w", err)
	}

	lastWord := time.Now()

	for {
		gone := !alive() // Asked first: one that came up and then ended was seen to be up.

		version, err := s.serverVersion(ctx, config)
		if err == nil {
			s.socketDir, s.port, s.version = socketDir, port, version

			return nil
		}

		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("wait for the server: %w (last: %w)", context.Cause(ctx), err)
		case refused(err):
			return fmt.Errorf("the server refuses its owner: %w", err)
		case gone:
			return errServerGone
		}

		if time.Since(lastWord) > wordEvery {
			lastWord = time.Now()
			s.cfg.log().InfoContext(ctx, "still waiting for Postgres", "data", s.path, "now", err)
		}

		select {
		case <-ctx.Done():
		case <-poll.C:
		}
	}
}
