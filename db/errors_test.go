package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func refusedWith(code string) error { return &pgconn.PgError{Code: code, Message: "no"} }

func TestAwayTellsWhatPassesFromWhatDoesNot(t *testing.T) {
	unreachable := func() error {
		_, err := pgx.Connect(t.Context(), "postgres:///none?host=/nowhere/at/all")

		return err
	}()
	_, unknownHost := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:0")

	for _, test := range []struct {
		name string
		err  error
		away bool
	}{
		{"no server", unreachable, true},
		{"refused connection", unknownHost, true},
		{"reset connection", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, true},
		{"end of the stream", io.ErrUnexpectedEOF, true},
		{"closed stream", fmt.Errorf("read: %w", io.EOF), true},
		{"closed connection", pgconn.ErrConnClosed, true},
		{"closed socket", net.ErrClosed, true},
		{"bad connection", driver.ErrBadConn, true},
		{"connection done", sql.ErrConnDone, true},
		{"own limit", errTooSlow, true},
		{"connection exception", refusedWith("08006"), true},
		{"protocol violation", refusedWith("08P01"), true},
		{"too many connections", refusedWith("53300"), true},
		{"disk full", refusedWith("53100"), true},
		{"out of memory", refusedWith("53200"), true},
		{"admin shutdown", refusedWith("57P01"), true},
		{"crash shutdown", refusedWith("57P02"), true},
		{"cannot connect now", refusedWith("57P03"), true},
		{"database dropped", refusedWith("57P04"), true},
		{"idle session timeout", refusedWith("57P05"), true},
		{"lock timeout", refusedWith("55P03"), true},
		{"statement timeout", refusedWith("57014"), true},
		{"read-only", refusedWith("25006"), true},
		{"serialization failure", refusedWith("40001"), true},
		{"deadlock", fmt.Errorf("change: %w", refusedWith("40P01")), true},
		{"unique violation", refusedWith("23505"), false},
		{"check violation", refusedWith("23514"), false},
		{"syntax error", refusedWith("42601"), false},
		{"undefined table", refusedWith("42P01"), false},
		{"no rows", sql.ErrNoRows, false},
		{"anything", errors.New("anything"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := away(test.err, "water the plants")
			if got := queue.CodeOf(err) == queue.Unavailable; got != test.away {
				t.Errorf("away %v: %v", got, err)
			}

			if !errors.Is(err, test.err) || !strings.Contains(err.Error(), "water the plants") {
				t.Errorf("the log must learn what happened: %v", err)
			}
		})
	}
}

func TestAwayLeavesTheAnswersOfOthersAsTheyAre(t *testing.T) {
	refusal := fmt.Errorf("verb: %w", queue.Refusef(queue.Conflict, "no"))

	for _, err := range []error{
		nil, refusal, access.ErrRevoked, context.Canceled, context.DeadlineExceeded, fmt.Errorf("wait: %w", context.Canceled),
	} {
		if got := away(err, "water the plants"); got != err { //nolint:errorlint // the very same
			t.Errorf("got %v, want %v", got, err)
		}
	}
}

func TestALimitOfOursIsNotTheCallers(t *testing.T) {
	bounded, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()

	<-bounded.Done()

	if err := away(ownDeadline(t.Context(), bounded, bounded.Err()), "wait"); queue.CodeOf(err) != queue.Unavailable {
		t.Errorf("our limit: %v", err)
	}

	err := away(ownDeadline(bounded, bounded, bounded.Err()), "wait")
	if !errors.Is(err, context.DeadlineExceeded) || queue.CodeOf(err) != "" {
		t.Errorf("the caller's limit: %v", err)
	}

	if err := ownDeadline(t.Context(), bounded, nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}
