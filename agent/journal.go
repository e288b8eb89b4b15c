package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	journalName   = "journal.json"
	journalFormat = "sdlc-hub agent journal 1"
)

// Journal is what the agent must remember over a crash: who it is, the command that it began, and the report that it
// has not delivered. It is one small file; each write replaces it whole and is on the disk when it returns. The folder
// is locked while the journal is open.
type Journal struct {
	folder *os.File
	path   string
	// instance is the kept one, which never changes: the heartbeat reads it while the rest is written.
	instance string
	kept     kept

	// written, where a test sets it, runs before and after each write; its error ends the agent there, as a crash would.
	written func(number int, done bool) error
	number  int
}

// kept is the file's content.
type kept struct {
	Format string `json:"format"`
	// Instance names this agent to the hub, so that it keeps its seat over a restart.
	Instance string `json:"instance"`
	// Hub and Jira are the addresses that the rest is about; what is open for one must never reach another.
	Hub  string `json:"hub,omitempty"`
	Jira string `json:"jira,omitempty"`
	// Begun is the command in hand; nil for none.
	Begun *begun `json:"begun,omitempty"`
	// Report waits to be delivered; nil for none. It is on Begun.
	Report *client.ReportInput `json:"report,omitempty"`
}

// begun is a command that was taken in hand.
type begun struct {
	Command   string     `json:"command"`
	Kind      queue.Kind `json:"kind"`
	DedupeKey string     `json:"dedupeKey"`
	// Creation is what an ensure_issue asked for, so that its issue can still be found when the hub is done with it.
	Creation *queue.EnsureIssue `json:"creation,omitempty"`
	// FirstAt is from when on its issue may have been created, by this machine's clock.
	FirstAt time.Time `json:"firstAt"`
	// SentAt is when a create may last have been sent, by this machine's clock; nil where none was.
	SentAt *time.Time `json:"sentAt,omitempty"`
	// Deferred are the fields that the create left for an edit right after it.
	Deferred []string `json:"deferred,omitempty"`
}

// OpenJournal opens the journal in that folder, or begins one there. The folder is made where it is missing. An agent
// that is already running on it, and a file that is torn or no journal, are errors.
func OpenJournal(dir string) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the agent's data folder: %w", err)
	}

	folder, err := os.Open(dir) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("open the agent's data folder: %w", err)
	}

	j := &Journal{folder: folder, path: filepath.Join(dir, journalName)}
	if err := j.open(); err != nil {
		return nil, errors.Join(err, j.Close())
	}

	j.instance = j.kept.Instance

	return j, nil
}

// Close lets another agent have it.
func (j *Journal) Close() error {
	// A program that is being started beside this one may hold the folder open for a moment longer, and with it the lock.
	err := syscall.Flock(int(j.folder.Fd()), syscall.LOCK_UN)

	if err := errors.Join(err, j.folder.Close()); err != nil {
		return fmt.Errorf("close the agent's data folder: %w", err)
	}

	return nil
}

// Instance names this agent to the hub.
func (j *Journal) Instance() string { return j.instance }

func (j *Journal) open() error {
	err := syscall.Flock(int(j.folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)

	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return fmt.Errorf("another agent is running on the journal in %s", j.folder.Name())
	case err != nil:
		return fmt.Errorf("lock the agent's data folder %s: %w", j.folder.Name(), err)
	}

	content, err := os.ReadFile(j.path)
	if errors.Is(err, os.ErrNotExist) {
		return j.save(kept{Format: journalFormat, Instance: uuid.NewString()})
	}

	if err != nil {
		return fmt.Errorf("read the agent's journal: %w", err)
	}

	if err := j.read(content); err != nil {
		return fmt.Errorf("%s is no journal of this agent: %w; it may be torn or another program's. "+
			"Restore it, or move it away: the agent then begins anew, and what was under way is handed out again", j.path, err)
	}

	return nil
}

// read takes nothing that this program did not write whole.
func (j *Journal) read(content []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()

	var read kept
	if err := decoder.Decode(&read); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("it is empty")
		}

		return err
	}

	switch {
	case decoder.Decode(new(any)) != io.EOF:
		return errors.New("something stands behind its end")
	case read.Format != journalFormat:
		return fmt.Errorf("its format is %q, not %q", read.Format, journalFormat)
	case read.Instance == "":
		return errors.New("it names no instance")
	case read.Report != nil && (read.Begun == nil || read.Begun.Command != read.Report.Command):
		return errors.New("its report is on no command that was begun")
	case read.Begun != nil && (read.Begun.Command == "" || read.Begun.Kind == "" || read.Begun.DedupeKey == ""):
		return errors.New("it does not say which command was begun")
	}

	j.kept = read

	return nil
}
