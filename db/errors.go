package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// away gives an error of the database the form that callers tell apart: Unavailable where the database is away,
// restarting, overloaded, not writable now or too slow, so that the same call may well succeed later; the domain's,
// access's and the caller's own context's errors as they are; anything else with what was being done.
func away(err error, doing string) error {
	var (
		refusal *queue.Error
		denied  *access.Denied
	)

	switch {
	case err == nil:
		return nil
	case errors.As(err, &refusal), errors.As(err, &denied):
		return err
	case errors.Is(err, context.Canceled):
		return err
	case stateOf(err) == lockTimeout:
		return queue.Busy(fmt.Errorf("%s: %w", doing, err))
	case isAway(err):
		return queue.Away(fmt.Errorf("%s: %w", doing, err))
	case errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		return fmt.Errorf("%s: %w", doing, err)
	}
}

// stateOf is the state that Postgres reported, "" where err is no refusal of its.
func stateOf(err error) string {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refusal.Code
	}

	return ""
}

// lockTimeout is what Postgres says where another hub's change of the same site takes too long.
const lockTimeout = "55P03"

// errTooSlow is the end of a time limit of ours, not of the caller's.
var errTooSlow = errors.New("no answer in time")

// ownDeadline tells a limit that was set here from one that the caller brought: where bounded is over and ctx, from
// which it was made, is not, the database is what failed.
func ownDeadline(ctx, bounded context.Context, err error) error {
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		return fmt.Errorf("%w: %v", errTooSlow, err) //nolint:errorlint // a context's error in the chain would be taken for the caller's
	}

	return err
}

func isAway(err error) bool {
	var (
		refusal *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)

	switch {
	case errors.Is(err, errTooSlow):
		return true
	// A refused login is the server's word inside a ConnectError: it is away for us until an operator mends it.
	case errors.As(err, &connect):
		return true
	case errors.As(err, &refusal):
		return passing(refusal.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &network):
		return true
	}

	for _, broken := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrDeadlineExceeded, driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed,
	} {
		if errors.Is(err, broken) {
			return true
		}
	}

	return false
}

// passing tells whether a state that Postgres reports passes by itself.
func passing(sqlState string) bool {
	switch sqlState {
	case "25006", // read-only: a failover is under way
		"40001", "40P01", // serialization failure, deadlock
		"57014",                                     // statement_timeout, or a cancel that was not ours
		"57P01", "57P02", "57P03", "57P04", "57P05": // shutdown, crash, starting up, dropped, idle too long
		return true
	}

	// connection exceptions; too many connections, disk full, out of memory
	return strings.HasPrefix(sqlState, "08") || strings.HasPrefix(sqlState, "53")
}
