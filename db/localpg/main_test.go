package localpg_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// childVariable tells the test binary to be a user of the server, and how: a childSpec as JSON.
const childVariable = "LOCALPG_TEST_CHILD"

type childSpec struct {
	DataDir string
	BinDir  string
	Unsafe  bool
	// Go is a file that the child waits for before it starts, so that several start at once.
	Go string
}

// childReport is the one line that a child prints once it has started, or has not.
type childReport struct {
	Error   string
	URL     string
	Took    time.Duration
	Version string
}

func TestMain(m *testing.M) {
	if spec, ok := os.LookupEnv(childVariable); ok {
		os.Exit(beUser(spec))
	}

	goleak.VerifyTestMain(m)
}

// beUser starts the server, says so, uses it until standard input ends or it is interrupted, and leaves.
func beUser(text string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	var spec childSpec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return tell(childReport{Error: err.Error()})
	}

	for spec.Go != "" {
		if _, err := os.Stat(spec.Go); err == nil {
			break
		}

		time.Sleep(time.Millisecond)
	}

	begun := time.Now()

	server, err := localpg.Start(ctx, localpg.Config{DataDir: spec.DataDir, BinDir: spec.BinDir, Unsafe: spec.Unsafe})
	if err != nil {
		return tell(childReport{Error: err.Error()})
	}

	tell(childReport{URL: server.URL(localpg.Database), Took: time.Since(begun), Version: server.Version()})

	ended := make(chan struct{})

	go func() {
		defer close(ended)

		_, _ = io.Copy(io.Discard, os.Stdin)
	}()

	select {
	case <-ended:
	case <-ctx.Done():
		// The test looks at the server between the signal and the leaving.
		fmt.Println("interrupted")
		<-ended
	}

	if err := server.Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)

		return 1
	}

	return 0
}

func tell(report childReport) int {
	line, err := json.Marshal(report)
	if err != nil {
		panic(err)
	}

	fmt.Println(string(line))

	return 1
}
