package pgtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// keeperVariable tells a test binary that it is to be a keeper: a [localpg.Config] as JSON.
const keeperVariable = "SDLC_HUB_PGTEST_KEEPER"

const readyLine = "ready"

// A keeper is a second process of the same test binary that holds the test process's stake in the
// server and gives it back when that process has ended. Go tells nobody that a process ends, least
// of all one that panics, runs into its time limit or is killed; but another process sees it, by the
// end of a pipe. The alternative is a TestMain in every package that uses a database, which a
// panic would skip.
//
// This is looked at before any test, and before main: a test binary has no other place for it.
var _ = beKeeperIfAsked()

func beKeeperIfAsked() bool {
	text, asked := os.LookupEnv(keeperVariable)
	if asked {
		os.Exit(beKeeper(text))
	}

	return asked
}

func beKeeper(text string) int {
	if err := keep(text); err != nil {
		fmt.Println(strings.ReplaceAll(err.Error(), "\n", " ")) //nolint:forbidigo // This is how it tells.

		return 1
	}

	return 0
}

// keep uses the server for as long as standard input is open.
func keep(text string) error {
	var cfg localpg.Config
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		return fmt.Errorf("read what to keep: %w", err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()

	server, err := localpg.Start(ctx, cfg)
	if err != nil {
		return fmt.Errorf("join the test cluster: %w", err)
	}

	fmt.Println(readyLine) //nolint:forbidigo // As above.

	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return errors.Join(fmt.Errorf("wait for the end of the tests: %w", err), server.Close(context.Background()))
	}

	if err := server.Close(context.Background()); err != nil {
		return fmt.Errorf("leave the test cluster: %w", err)
	}

	return nil
}

// startKeeper gives the pipe that must stay open while the tests run, once the keeper uses the server.
func startKeeper(cfg localpg.Config) (*os.File, error) {
	text, err := json.Marshal(cfg)
	if err != nil {
		return nil, fmt.Errorf("describe the cluster: %w", err)
	}

	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the test binary: %w", err)
	}

	stdin, life, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a keeper: %w", err)
	}
	defer stdin.Close() //nolint:errcheck // The keeper has it.

	told, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a keeper: %w", err), life.Close())
	}
	defer told.Close() //nolint:errcheck // Only read.

	cmd := exec.Command(self) //nolint:noctx // Itself; it ends after this process.
	cmd.Env = append(os.Environ(), keeperVariable+"="+string(text))
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stdout = stdin, stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // What ends the tests, such as Ctrl-C, must not reach it.

	err = cmd.Start()
	if err := errors.Join(err, stdout.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("start a keeper: %w", err), life.Close())
	}

	line, err := bufio.NewReader(told).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != readyLine {
		_ = cmd.Wait() // It ended with what it told.

		return nil, errors.Join(fmt.Errorf("the keeper did not start: %s (%w)", line, err), life.Close())
	}

	if err := cmd.Process.Release(); err != nil {
		return nil, errors.Join(fmt.Errorf("start a keeper: %w", err), life.Close())
	}

	return life, nil
}
