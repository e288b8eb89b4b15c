package localpg

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const connectTimeout = 10 * time.Second

var errNotReady = errors.New("it does not say that it is ready")

// serverVersion is of a server that accepts connections. One that does not say yet that it is ready
// is not asked, as it would log each refusal.
func (s *Server) serverVersion(ctx context.Context, config *pgconn.Config) (string, error) {
	if pm, found, err := s.postmaster(); err != nil || !found || !pm.ready {
		return "", errors.Join(errNotReady, err)
	}

	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()

	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return "", fmt.Errorf("connect: %w", err)
	}

	version, _, _ := strings.Cut(conn.ParameterStatus("server_version"), " ") // Debian adds its own after a space.

	return version, conn.Close(ctx) //nolint:wrapcheck // it only says that the goodbye was not heard
}

// refused says whether the server answered, and not with "not yet" or "too many".
func refused(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return false
	}

	const cannotConnectNow, tooManyConnections = "57P03", "53300"

	return answer.Code != cannotConnectNow && answer.Code != tooManyConnections
}

// ensureDatabase makes the role and the database that every cluster has, where a killed run did
// not get that far.
func (s *Server) ensureDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, socketURL(s.socketDir, s.port, adminRole, adminDB))
	if err != nil {
		return fmt.Errorf("look for the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // Nothing is lost with it.

	for _, needed := range []struct{ look, name, make string }{
		{"SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", ownerRole, "CREATE ROLE " + ownerRole + " LOGIN"},
		{"SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", Database, "CREATE DATABASE " + Database + " OWNER " + ownerRole},
	} {
		var exists bool
		if err := conn.QueryRow(ctx, needed.look, needed.name).Scan(&exists); err != nil {
			return fmt.Errorf("look for %s: %w", needed.name, err)
		}

		if exists {
			continue
		}

		if _, err := conn.Exec(ctx, needed.make); err != nil {
			return fmt.Errorf("make %s: %w", needed.name, err)
		}
	}

	return nil
}
