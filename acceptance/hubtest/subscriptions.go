package hubtest

// The subscriptions, each with its one root field as `answer`.
const (
	// CommandChanged follows every change of commands.
	CommandChanged = `subscription ($after: Cursor, $batch: ID, $command: ID, $statuses: [CommandStatus!]) {
  answer: commandChanged(after: $after, batch: $batch, command: $command, statuses: $statuses) {
    cursor at from to cause actor command { ...command }
  }
}` + commandFragment
	// BatchChanged follows one batch or all.
	BatchChanged = `subscription ($id: ID) { answer: batchChanged(id: $id) { cursor at batch { ...batch } } }` + batchFragment
	// QueueChanged follows the queue.
	QueueChanged = `subscription { answer: queueChanged { cursor at queue { ...queue } } }` + queueFragment
	// LogAppended follows every event of the site.
	LogAppended = `subscription ($after: Cursor, $kinds: [EventKind!]) {
  answer: logAppended(after: $after, kinds: $kinds) { ...event }
}` + eventFragment
	// IssueChanged follows the mirror.
	IssueChanged = `subscription ($after: Cursor, $keys: [IssueKey!]) {
  answer: issueChanged(after: $after, keys: $keys) { cursor at issue { ...issue } }
}` + issueFragment
	// NoteChanged follows the notes.
	NoteChanged = `subscription ($after: Cursor, $keys: [IssueKey!]) {
  answer: noteChanged(after: $after, keys: $keys) { cursor at key movedFrom note { ...note } }
}` + noteFragment
)
