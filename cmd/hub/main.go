// Command hub is the GraphQL hub between those who plan work in Jira and the agent that does it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // working hours know every zone, also on a machine without a zone database

	"github.com/alecthomas/kong"
)

// version is set by the linker.
var version = "dev"

// Exit codes: all went well, it did not, the command line was wrong.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run does what the arguments say and gives the exit code.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	// After the first signal a second one ends the process at once.
	context.AfterFunc(ctx, stop)

	var commands commandLine

	exited := -1

	parser, err := kong.New(&commands, append(mappers(), kong.Name("hub"), kong.Description(description),
		kong.Writers(out, errs), kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{
			Compact: true, FlagsLast: true, NoExpandSubcommands: false,
		}))...)
	if err != nil {
		return failed(errs, exitFailed, err)
	}

	parsed, err := parser.Parse(args)

	switch {
	case exited >= 0:
		return exited
	case err != nil:
		return failed(errs, exitUsage, hinted(err))
	}

	if err := commands.check(); err != nil {
		return failed(errs, exitUsage, err)
	}

	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.BindTo(out, (*io.Writer)(nil))

	if err := parsed.Run(&commands.settings); err != nil {
		if _, ok := errors.AsType[*usageError](err); ok {
			return failed(errs, exitUsage, err)
		}

		return failed(errs, exitFailed, err)
	}

	return exitDone
}

func failed(errs io.Writer, code int, err error) int {
	_, _ = fmt.Fprintln(errs, "hub:", err)

	return code
}

// usageError is a value on the command line that turned out to be wrong.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }
