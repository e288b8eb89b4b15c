// Command jirasim is a simulated Jira: project AURORA in memory, for trying the hub and its agent without a real one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

const description = `A simulated Jira: made-up data in memory, gone when it stops.

Each setting is a flag and a variable of the environment; the flag wins.`

// settings are all that can be written after jirasim.
type settings struct {
	Listen  string `default:"127.0.0.1:8090" env:"JIRASIM_LISTEN"   help:"Where to listen." placeholder:"HOST:PORT"`
	Dialect string `default:"cloud" enum:"cloud,dc" env:"JIRASIM_DIALECT" help:"Which Jira: cloud, or dc for Data Center."`
	BaseURL string `env:"JIRASIM_BASE_URL" help:"Where people find it. Default: the address that a call came to." name:"base-url" placeholder:"URL"`
	User    string `env:"JIRASIM_USER" help:"The account's name. Default: agent@example.com on Cloud, agent on Data Center." placeholder:"NAME"`
	Token   string `default:"sim-token" env:"JIRASIM_TOKEN" help:"The account's token." placeholder:"TOKEN"`
	Version string `default:"9.12.15" env:"JIRASIM_VERSION" help:"What a Data Center says it is; before 9 it has the old createmeta." placeholder:"N.N.N"`
}

// Exit codes: all went well, it did not, the command line was wrong.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// How long a call may take to arrive, and to be answered once the program is told to stop.
const (
	headerTime = 10 * time.Second
	stopTime   = 5 * time.Second
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run does what the arguments say and gives the exit code.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	// After the first signal a second one ends the process at once.
	context.AfterFunc(ctx, stop)

	var s settings

	exited := -1

	parser, err := kong.New(&s, kong.Name("jirasim"), kong.Description(description), kong.Writers(out, errs),
		kong.Exit(func(code int) { exited = code }))
	if err != nil {
		return failed(errs, exitFailed, err)
	}

	_, err = parser.Parse(args)

	switch {
	case exited >= 0:
		return exited
	case err != nil:
		return failed(errs, exitUsage, err)
	}

	if err := serve(ctx, out, s); err != nil {
		return failed(errs, exitFailed, err)
	}

	return exitDone
}

func failed(errs io.Writer, code int, err error) int {
	_, _ = fmt.Fprintln(errs, "jirasim:", err)

	return code
}

// serve answers until the context ends.
func serve(ctx context.Context, out io.Writer, s settings) error {
	jira, err := sim.New(sim.Config{
		Dialect: sim.Dialect(s.Dialect), BaseURL: s.BaseURL, User: s.User, Token: s.Token, Version: s.Version,
	})
	if err != nil {
		return fmt.Errorf("making the simulation: %w", err)
	}

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}

	server := &http.Server{Handler: jira, ReadHeaderTimeout: headerTime}
	ended := make(chan error, 1)

	go func() { ended <- server.Serve(listener) }()

	user, token := jira.Login()
	_, _ = fmt.Fprintf(out, "A simulated Jira (%s) at http://%s\n  user   %s\n  token  %s\n", s.Dialect, listener.Addr(), user, token)

	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}

	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()

	err = server.Shutdown(stopping)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // whoever is kept waiting by a slow knob has waited enough
	}

	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}

	return err
}
