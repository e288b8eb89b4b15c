package agent

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
)

// suite stands in for a test where what it makes must outlive each single one.
type suite struct {
	testing.TB

	cleanups []func()
}

func (s *suite) Helper()                      {}
func (s *suite) Name() string                 { return "agent" }
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
