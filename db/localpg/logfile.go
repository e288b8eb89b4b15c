package localpg

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

const (
	logName    = "postgres.log"
	oldLogName = "postgres.log.1"
	logLimit   = 8 << 20 // Bytes; with the one before, the logs take twice as much.
	tailLimit  = 4 << 10 // Bytes of a log that stand in an error.
	tailLines  = 12
)

// serverLog is the log as a server that is about to start will write it.
type serverLog struct {
	file  *os.File
	begin int64 // Where this start's lines begin.
}

// openLog opens the log for a server to append to. No server runs, so a full one is moved aside.
func (s *Server) openLog() (serverLog, error) {
	if info, err := s.root.Lstat(logName); err == nil && info.Size() > logLimit {
		if err := s.root.Rename(logName, oldLogName); err != nil {
			return serverLog{}, fmt.Errorf("move the server's log aside: %w", err)
		}
	}

	file, err := s.root.OpenFile(logName, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return serverLog{}, fmt.Errorf("open the server's log: %w", err)
	}

	if err := handFile(file, s.owner); err != nil {
		return serverLog{}, errors.Join(err, file.Close())
	}

	info, err := file.Stat()
	if err != nil {
		return serverLog{}, errors.Join(fmt.Errorf("open the server's log: %w", err), file.Close())
	}

	return serverLog{file: file, begin: info.Size()}, nil
}

// logTail is the end of the log, from begin on.
func (s *Server) logTail(begin int64) string {
	file, err := s.root.Open(logName)
	if err != nil {
		return err.Error()
	}
	defer file.Close() //nolint:errcheck // Only read.

	if info, err := file.Stat(); err == nil {
		begin = max(begin, info.Size()-tailLimit)
	}

	text, err := io.ReadAll(io.NewSectionReader(file, begin, tailLimit))
	if err != nil {
		return err.Error()
	}

	lines := strings.Split(strings.TrimSpace(string(text)), "\n")

	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// boundLog empties a full log, keeping a copy. The running server has the file open for appending,
// so it goes on at its new end; lines that it writes between copying and emptying are lost.
// The caller holds the start lock, or two users would do it at once.
func (s *Server) boundLog() error {
	log, err := s.root.OpenFile(logName, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) { // A server that someone started by hand.
		return nil
	}

	if err != nil {
		return fmt.Errorf("bound the server's log: %w", err)
	}
	defer log.Close() //nolint:errcheck // Nothing was written through it.

	info, err := log.Stat()
	if err != nil || info.Size() <= logLimit {
		return err //nolint:wrapcheck // Names the file.
	}

	old, err := s.root.OpenFile(oldLogName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return fmt.Errorf("bound the server's log: %w", err)
	}

	// Of one that grew without bound only the end is kept.
	end := io.NewSectionReader(log, max(0, info.Size()-logLimit), logLimit)

	_, err = io.Copy(old, end)
	if err := errors.Join(err, handFile(old, s.owner), old.Close(), log.Truncate(0)); err != nil {
		return fmt.Errorf("bound the server's log: %w", err)
	}

	return nil
}
