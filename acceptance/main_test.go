package acceptance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// hub is the one that all tests share, each in a site of its own; program is
// what it was started from, and logs where hubs write.
//
//nolint:gochecknoglobals // made once for all tests, and only read by them
var (
	hub     *hubtest.Hub
	program string
	logs    string
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if err := runMoreAtOnce(); err != nil {
		return 1, err
	}
	logs, err = os.MkdirTemp("", "acceptance-")
	if err != nil {
		return 1, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(logs)) }()
	program, err = hubtest.Build(context.Background(), "..", logs)
	if err != nil {
		return 1, err
	}
	database := &suite{}
	defer database.clean()
	hub, err = hubtest.Start(context.Background(), program, pgtest.New(database), logs)
	if err != nil {
		return 1, err
	}
	code = m.Run()
	return code, hub.Stop()
}

// runMoreAtOnce lets more tests run at once than there are processors, unless
// the caller said how many: they mostly wait for the hub.
func runMoreAtOnce() error {
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return nil
	}
	if err := flag.Set("test.parallel", "12"); err != nil {
		return fmt.Errorf("let more tests run at once: %w", err)
	}
	return nil
}

// suite stands in for a test where what it makes must outlive each single one.
type suite struct {
	testing.TB

	cleanups []func()
}

func (s *suite) Helper()                      {}
func (s *suite) Name() string                 { return "acceptance" }
func (s *suite) Context() context.Context     { return context.Background() }
func (s *suite) Cleanup(cleanup func())       { s.cleanups = append(s.cleanups, cleanup) }
func (s *suite) Log(args ...any)              { fmt.Fprintln(os.Stderr, args...) }
func (s *suite) Logf(format string, a ...any) { fmt.Fprintf(os.Stderr, format+"\n", a...) }
func (s *suite) Error(args ...any)            { s.Fatal(args...) }
func (s *suite) Errorf(f string, a ...any)    { s.Fatalf(f, a...) }
func (s *suite) Fatal(args ...any)            { panic(fmt.Sprint(args...)) }
func (s *suite) Fatalf(f string, a ...any)    { panic(fmt.Sprintf(f, a...)) }

func (s *suite) clean() {
	for _, cleanup := range slices.Backward(s.cleanups) {
		cleanup()
	}
}
