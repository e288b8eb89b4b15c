package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

const pidFileName = "postmaster.pid"

// postmaster is what a cluster's postmaster.pid says of its server. Without a pid it says nothing
// that makes sense, as after a crash between making and writing the file.
type postmaster struct {
	pid       int
	port      int
	socketDir string
	ready     bool
}

// postmaster reads the pid file; found is false where there is none.
func (s *Server) postmaster() (pm postmaster, found bool, err error) {
	text, err := s.root.ReadFile(filepath.Join(clusterName, pidFileName))

	switch {
	case errors.Is(err, fs.ErrNotExist):
		return postmaster{}, false, nil
	case err != nil:
		return postmaster{}, false, fmt.Errorf("read the server's pid file: %w", err)
	}

	return parsePidFile(string(text)), true, nil
}

// parsePidFile reads the lines that Postgres documents in its miscadmin.h: pid, data folder, start
// time, port, socket folder, listen address, shared memory, status. Later ones come as the start goes on.
func parsePidFile(text string) postmaster {
	lines := strings.Split(text, "\n")
	line := func(i int) string {
		if i < len(lines) {
			return strings.TrimSpace(lines[i])
		}

		return ""
	}
	number := func(i int) int {
		n, err := strconv.Atoi(line(i))
		if err != nil {
			return 0
		}

		return n
	}

	const pidLine, portLine, socketLine, statusLine = 0, 3, 4, 7

	return postmaster{
		pid:       max(number(pidLine), -number(pidLine)), // Negative for a single-user server.
		port:      number(portLine),
		socketDir: line(socketLine),
		ready:     line(statusLine) == "ready",
	}
}

// clearPidFile removes a dead server's pid file. Postgres would do so itself, except where the
// number has meanwhile been given to another process of the account.
func (s *Server) clearPidFile() error {
	err := s.root.Remove(filepath.Join(clusterName, pidFileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a dead server's pid file: %w", err)
	}

	return nil
}
