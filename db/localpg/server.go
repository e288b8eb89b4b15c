package localpg

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Server is one process's use of a data folder's Postgres, from [Start] to [Server.Close].
// Its methods may be called from several goroutines.
type Server struct {
	cfg   Config
	path  string // The data folder, absolute and without links.
	owner account
	// root keeps a caller who is root inside the folder, which belongs to another account: a link
	// put there leads nowhere else.
	root  *os.Root
	start *os.File // The lock under which the server is started and stopped.
	users *os.File // The lock that every user shares.

	mu        sync.Mutex // Guards the fields below, and what is done under the start lock.
	closed    bool
	socketDir string
	port      int
	version   string
}

// URL is how to connect to a database of the server, as pgx and libpq read it. The role owns the
// database [Database] and is no superuser. It stays true as long as the server runs.
func (s *Server) URL(database string) string { return s.url(ownerRole, database) }

// AdminURL is like [Server.URL], for the superuser.
func (s *Server) AdminURL(database string) string { return s.url(adminRole, database) }

// DataDir is the data folder, as an absolute path without links.
func (s *Server) DataDir() string { return s.path }

// Version is the server's, such as "15.18".
func (s *Server) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.version
}

func (s *Server) url(role, database string) string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return socketURL(s.socketDir, s.port, role, database)
}

func socketURL(dir string, port int, role, database string) string {
	// libpq and pgx read a plus as a plus, where Encode means a space by it; a plus itself it has written as %2B.
	query := strings.ReplaceAll(url.Values{"host": {dir}, "port": {strconv.Itoa(port)}}.Encode(), "+", "%20")
	address := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: query}

	return address.String()
}

func (s *Server) cluster() string { return filepath.Join(s.path, clusterName) }

func (s *Server) programs(ctx context.Context, major string) (Programs, error) {
	return choose(ctx, usualPlaces(s.cfg.BinDir), s.owner, s.path, major)
}

// release gives up the locks, and with them the use of the server.
func (s *Server) release() error {
	s.closed = true

	return errors.Join(s.users.Close(), s.start.Close(), s.root.Close())
}
