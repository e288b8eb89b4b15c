// Command bench measures the hub against floors: the least that Postgres and HTTP ask for the same work, done side by
// side in the same run, since times alone mean little on a shared machine. It prints a table, writes the figures into
// docs/performance.md and ends with 1 where a mark is missed. docs/performance.md says what each row means.
//
// It starts a Postgres of its own, with fsync, in a temporary folder; or makes its databases on the server that
// BENCH_DATABASE_URL names, as a superuser.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes: every mark was reached, one was missed or the bench failed, the command line was wrong.
const (
	exitReached = 0
	exitMissed  = 1
	exitUsage   = 2
)

// options are the command line.
type options struct {
	Rows        []string `arg:""           optional:"" help:"Rows to measure: ${rows}. Default: all of them."`
	Pairs       int      `default:"5"      help:"Pairs of floor and hub, whose median counts."`
	Cycles      int      `default:"2000"   help:"Claims, each with its report, that one side of a pair makes."`
	Million     int      `default:"1000000" help:"How many commands are queued, worked off and looked for among."`
	Mirror      int      `default:"1000000" help:"How many issues the large mirror holds."`
	Subscribers int      `default:"10000" help:"How many subscribers there are at most; the others are a tenth and a hundredth."`
	Changes     int      `default:"20" help:"Changes that are delivered in one run, five a second."`
	Quick       bool     `help:"Small sizes: 500 cycles, 50,000 commands and issues, 1,000 subscribers, six changes, three pairs. Prints alone."`
	Write       bool     `help:"Write the figures though not every row was measured in full."`
	Docs        string   `default:"docs/performance.md" placeholder:"FILE" help:"The page that the figures go into."`

	DatabaseURL string `env:"BENCH_DATABASE_URL" placeholder:"URL" help:"A superuser's URL of the server to make the databases on. Default: a private one."`
	PostgresBin string `env:"HUB_POSTGRES_BIN"   placeholder:"DIR" help:"Folder with Postgres' server programs. Default: they are looked for."`
	CPUProfile  string `name:"cpuprofile"        placeholder:"FILE" help:"Write a CPU profile of this process."`
}

const (
	quickPairs  = 3
	quickCycles = 500
	quickSize   = 50_000
	// quickSubscribers are as many as the marks need.
	quickSubscribers = markedFrom
	quickChanges     = 6
	// leastSubscribers has sizes of one and more.
	leastSubscribers = 100
)

func main() {
	if code, child := beChild(os.Args[1:], os.Stdout); child {
		os.Exit(code)
	}

	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run does what the arguments say and gives the exit code.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	var chosen options

	exited := -1

	parser, err := kong.New(&chosen, kong.Name("bench"), kong.Writers(out, errs), kong.Exit(func(code int) { exited = code }),
		kong.Vars{"rows": strings.Join(rowNames(), ", ")})
	if err == nil {
		_, err = parser.Parse(args)
	}

	if exited >= 0 {
		return exited
	}

	if err == nil {
		err = chosen.settle()
	}

	if err != nil {
		_, _ = fmt.Fprintln(errs, "bench:", err)

		return exitUsage
	}

	reached, err := chosen.measure(ctx, args, out)

	switch {
	case err != nil:
		_, _ = fmt.Fprintln(errs, "bench:", err)

		return exitMissed
	case !reached:
		return exitMissed
	default:
		return exitReached
	}
}

// settle checks what kong does not and puts quick sizes in.
func (o *options) settle() error {
	for _, name := range o.Rows {
		if !slices.Contains(rowNames(), name) {
			return fmt.Errorf("there is no row %q; there are %s", name, strings.Join(rowNames(), ", "))
		}
	}

	if o.Quick {
		o.Pairs, o.Cycles, o.Million, o.Mirror = quickPairs, quickCycles, quickSize, quickSize
		o.Subscribers, o.Changes = quickSubscribers, quickChanges
	}

	if o.Pairs < 1 || o.Cycles < 1 || o.Million < 1000 || o.Mirror < refreshed || o.Subscribers < leastSubscribers || o.Changes < 1 {
		return fmt.Errorf("at least one pair, one cycle, 1,000 commands, one change, a mirror of %d issues and %d subscribers",
			refreshed, leastSubscribers)
	}

	return nil
}

// whole tells a run whose figures are those of docs/performance.md: every row, nothing made small.
func (o *options) whole() bool {
	const full, fullSubscribers = 1_000_000, 10_000

	return len(o.Rows) == 0 && o.Pairs >= 5 && o.Million >= full && o.Mirror >= full && o.Subscribers >= fullSubscribers
}

// measure goes through the rows and tells whether every mark was reached.
func (o *options) measure(ctx context.Context, args []string, out io.Writer) (reached bool, err error) {
	if o.CPUProfile != "" {
		file, err := os.Create(o.CPUProfile)
		if err != nil {
			return false, fmt.Errorf("write the profile: %w", err)
		}

		defer func() { err = errors.Join(err, file.Close()) }()

		if err := pprof.StartCPUProfile(file); err != nil {
			return false, fmt.Errorf("profile: %w", err)
		}

		defer pprof.StopCPUProfile()
	}

	pg, err := startPostgres(ctx, o, nil)
	if err != nil {
		return false, err
	}

	defer func() { err = errors.Join(err, pg.close()) }()

	b := &bench{options: o, pg: pg, program: &program{}, quiet: pg.quiet, out: out}

	defer func() { err = errors.Join(err, b.program.remove()) }()

	report := &report{Run: describeRun(ctx, args, pg)}

	for _, row := range rows() {
		if len(o.Rows) > 0 && !slices.Contains(o.Rows, row.name) {
			continue
		}

		b.sayf("%s: %s", row.name, row.does)

		figures, err := row.measure(ctx, b)
		report.Figures = append(report.Figures, figures...)

		if err != nil {
			return false, fmt.Errorf("row %s: %w", row.name, err)
		}

		for _, figure := range figures {
			b.sayf("  %s", figure.line())
		}
	}

	if _, err := io.WriteString(out, "\n"+report.table()); err != nil {
		return false, fmt.Errorf("print the table: %w", err)
	}

	if o.whole() || o.Write {
		if err := report.write(o.Docs); err != nil {
			return false, err
		}

		b.sayf("written into %s", o.Docs)
	}

	return report.reached(), nil
}
