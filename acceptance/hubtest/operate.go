package hubtest

import "testing"

// What people do with the site. Each of these must succeed; what must be
// refused goes through Client.Refused.

// Submit creates a batch of these entries and returns it with its first
// thousand commands.
func (s *Site) Submit(t testing.TB, entries ...Vars) Batch {
	t.Helper()
	return Ask[BatchPayload](t, s.Operator, CreateBatch, Vars{"input": BatchInput(entries)}).Batch
}

// SubmitHeld is Submit with the batch created on hold.
func (s *Site) SubmitHeld(t testing.TB, entries ...Vars) Batch {
	t.Helper()
	input := BatchInput(entries)
	input["held"] = true
	return Ask[BatchPayload](t, s.Operator, CreateBatch, Vars{"input": input}).Batch
}

// BatchInput is the input of a batch of these entries and nothing else.
func BatchInput(entries []Vars) Vars {
	if entries == nil {
		entries = []Vars{}
	}
	return Vars{"commands": entries}
}

// Cancel calls off the commands, with force or without.
func (s *Site) Cancel(t testing.TB, force bool, ids ...string) Cancelled {
	t.Helper()
	return Ask[Cancelled](t, s.Operator, CancelCommands, Vars{"ids": ids, "force": force})
}

// CancelBatch calls off what is open of the batch.
func (s *Site) CancelBatch(t testing.TB, force bool, id string) Cancelled {
	t.Helper()
	return Ask[Cancelled](t, s.Operator, CancelBatch, Vars{"id": id, "force": force})
}

// Retry retries the commands without related ones.
func (s *Site) Retry(t testing.TB, ids ...string) Batch {
	t.Helper()
	return Ask[BatchPayload](t, s.Operator, RetryCommands, Vars{"ids": ids}).Batch
}

// RetryRelated retries the commands and what hangs together with them.
func (s *Site) RetryRelated(t testing.TB, ids ...string) Batch {
	t.Helper()
	return Ask[BatchPayload](t, s.Operator, RetryCommands, Vars{"ids": ids, "withRelated": true}).Batch
}

// SetNote writes a note; it is nil where an empty text removed it.
func (s *Site) SetNote(t testing.TB, key, text string) *Note {
	t.Helper()
	return Ask[*Note](t, s.Operator, SetNote, Vars{"key": key, "text": text})
}

// SetPace sets the bounds of the pause and whatever more names.
func (s *Site) SetPace(t testing.TB, minPauseSeconds, maxPauseSeconds int, more ...any) Pace {
	t.Helper()
	input := with(Vars{"minPauseSeconds": minPauseSeconds, "maxPauseSeconds": maxPauseSeconds}, more)
	return Ask[Pace](t, s.Operator, SetPace, Vars{"input": input})
}

// Pause pauses the queue.
func (s *Site) Pause(t testing.TB) Pace {
	t.Helper()
	return Ask[Pace](t, s.Operator, PauseQueue, Vars{"reason": "maintenance"})
}

// Resume lets the queue go on.
func (s *Site) Resume(t testing.TB) Pace {
	t.Helper()
	return Ask[Pace](t, s.Operator, ResumeQueue, nil)
}

// Command is a command and what hangs on it; an unknown id fails the test.
func (s *Site) Command(t testing.TB, id string) Command {
	t.Helper()
	command := Ask[*Command](t, s.Operator, QueryCommand, Vars{"id": id})
	if command == nil {
		t.Fatalf("command %s does not exist", id)
	}
	return *command
}

// Batch is a batch with its first thousand commands.
func (s *Site) Batch(t testing.TB, id string) Batch {
	t.Helper()
	batch := Ask[*Batch](t, s.Operator, QueryBatch, Vars{"id": id, "first": 1000})
	if batch == nil {
		t.Fatalf("batch %s does not exist", id)
	}
	return *batch
}

// Queue is the site's queue.
func (s *Site) Queue(t testing.TB) Queue {
	t.Helper()
	return Ask[Queue](t, s.Operator, QueryQueue, nil)
}

// Issue is an issue of the mirror, nil where it has none.
func (s *Site) Issue(t testing.TB, key string) *Issue {
	t.Helper()
	return Ask[*Issue](t, s.Operator, QueryIssue, Vars{"key": key})
}

// Note is a note, nil where there is none.
func (s *Site) Note(t testing.TB, key string) *Note {
	t.Helper()
	return Ask[*Note](t, s.Operator, QueryNote, Vars{"key": key})
}

// Notes are the site's notes, by key.
func (s *Site) Notes(t testing.TB) map[string]string {
	t.Helper()
	notes := map[string]string{}
	for _, note := range Ask[Page[Note]](t, s.Operator, QueryNotes, nil).Nodes {
		notes[note.Key] = note.Text
	}
	return notes
}

// Preview asks what a batch of these entries would do.
func (s *Site) Preview(t testing.TB, entries ...Vars) Preview {
	t.Helper()
	return Ask[Preview](t, s.Operator, PreviewBatch, Vars{"input": BatchInput(entries)})
}

// EventsAfter are the events of the log after a position, oldest first, at most
// a thousand.
func (s *Site) EventsAfter(t testing.TB, cursor string, kinds ...string) []Event {
	t.Helper()
	vars := Vars{"after": cursor}
	if len(kinds) > 0 {
		vars["kinds"] = kinds
	}
	return Ask[LogPage](t, s.Operator, QueryLog, vars).Nodes
}
