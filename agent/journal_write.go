package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/sdlc-hub/sdlc-hub/client"
)

// journalError is a journal that could not be written. The agent does nothing that it could not account for, so it ends.
type journalError struct{ error }

func (e *journalError) Unwrap() error { return e.error }

// belongTo refuses to go on where something is open for another hub or another Jira than these.
func (j *Journal) belongTo(hub, jira string) error {
	same := j.kept.Hub == hub && j.kept.Jira == jira

	switch {
	case same:
		return nil
	case j.kept.Begun != nil:
		return fmt.Errorf("the journal in %s has command %s open for the hub %s and the Jira %s, not for %s and %s: "+
			"start the agent for those once more, or give it another data folder",
			j.folder.Name(), j.kept.Begun.Command, j.kept.Hub, j.kept.Jira, hub, jira)
	default:
		return j.change(func(k *kept) { k.Hub, k.Jira = hub, jira })
	}
}

// begin writes down that a command was taken in hand. What is known of an earlier delivery of it stays.
func (j *Journal) begin(command begun) error {
	if j.kept.Begun != nil && j.kept.Begun.Command == command.Command {
		return nil
	}

	return j.change(func(k *kept) { k.Begun, k.Report = &command, nil })
}

// report writes down what became of the command in hand.
func (j *Journal) report(report *client.ReportInput) error {
	return j.change(func(k *kept) { k.Report = report })
}

// strike forgets the command in hand and its report.
func (j *Journal) strike() error {
	return j.change(func(k *kept) { k.Begun, k.Report = nil, nil })
}

// change writes the journal anew; what is in memory follows what is on the disk.
func (j *Journal) change(edit func(*kept)) error {
	next := j.kept
	if next.Begun != nil {
		begun := *next.Begun
		next.Begun = &begun
	}

	edit(&next)

	if err := j.save(next); err != nil {
		return &journalError{err}
	}

	return nil
}

func (j *Journal) save(next kept) error {
	j.number++

	if j.written != nil {
		if err := j.written(j.number, false); err != nil {
			return err
		}
	}

	if err := j.replace(next); err != nil {
		return fmt.Errorf("write the agent's journal: %w", err)
	}

	j.kept = next

	if j.written != nil {
		return j.written(j.number, true)
	}

	return nil
}

// replace writes beside the file and puts the whole in its place, so that a crash leaves the old or the new.
func (j *Journal) replace(next kept) error {
	content, err := json.MarshalIndent(next, "", "  ")
	if err != nil {
		return fmt.Errorf("as JSON: %w", err)
	}

	beside := j.path + ".new"

	file, err := os.OpenFile(beside, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // the operator names its folder
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}

	_, err = file.Write(append(content, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}

	if err := os.Rename(beside, j.path); err != nil {
		return err //nolint:wrapcheck // it names the files
	}

	return j.folder.Sync() //nolint:wrapcheck // it names the folder
}
