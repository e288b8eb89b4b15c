package queue

// Kind is what a command ensures.
type Kind string

// The seven kinds.
const (
	KindIssue   Kind = "ensure_issue"
	KindFields  Kind = "ensure_fields"
	KindStatus  Kind = "ensure_status"
	KindLink    Kind = "ensure_link"
	KindSprint  Kind = "ensure_sprint"
	KindComment Kind = "ensure_comment"
	KindRefresh Kind = "refresh"
)

// Status is where a command stands in its life; docs/state_machine.md has the diagram.
type Status string

const (
	// Queued waits for its turn, for the issue behind a temporary key it names, or for its batch's release.
	Queued Status = "queued"
	// Claimed was handed to the agent and has no report yet.
	Claimed Status = "claimed"
	// Done was reported as a success. Final.
	Done Status = "done"
	// Failed was reported as an error, or not reported after MaxDeliveries. Final.
	Failed Status = "failed"
	// Cancelled was called off by a person. Final.
	Cancelled Status = "cancelled"
	// Skipped was never handed out: an issue it names was not created. Final.
	Skipped Status = "skipped"
	// Confirmed was never reported, but the mirror showed the wanted state. Final.
	Confirmed Status = "confirmed_by_state"
)

// Statuses lists every status in the order in which Counts and people read them.
func Statuses() []Status {
	return []Status{Queued, Claimed, Done, Failed, Cancelled, Skipped, Confirmed}
}

// Open tells whether the command can still change its status.
func (s Status) Open() bool { return s == Queued || s == Claimed }

// Succeeded tells whether the wanted state was reached.
func (s Status) Succeeded() bool { return s == Done || s == Confirmed }

// Cause says why a command changed.
type Cause string

// The causes a change of a command can have.
const (
	CauseSubmitted        Cause = "submitted"
	CauseClaimed          Cause = "claimed"
	CauseRedelivered      Cause = "redelivered"
	CauseProgress         Cause = "progress"
	CauseReported         Cause = "reported"
	CauseConfirmed        Cause = "confirmed_by_state"
	CauseCancelled        Cause = "cancelled"
	CauseDependencyFailed Cause = "dependency_failed"
	CauseDeliveryLimit    Cause = "delivery_limit"
	CauseLateReport       Cause = "late_report"
)

// Outcome is what an agent reports.
type Outcome string

// A command either succeeded or it did not.
const (
	OutcomeDone   Outcome = "done"
	OutcomeFailed Outcome = "failed"
)

// IdleReason says why a claim was answered with nothing.
type IdleReason string

// Why a claim was answered with nothing.
const (
	IdleEmpty     IdleReason = "empty"
	IdlePaused    IdleReason = "paused"
	IdleOffHours  IdleReason = "off_hours"
	IdleSeatTaken IdleReason = "seat_taken"
)

// Direction is an issue link's direction as its issue shows it.
type Direction string

// A link goes out of an issue or comes into it.
const (
	Outward Direction = "outward"
	Inward  Direction = "inward"
)

// BatchStatus is where a batch stands.
type BatchStatus string

const (
	// Pending means that every command is queued.
	Pending BatchStatus = "pending"
	// Running is neither Pending nor Finished.
	Running BatchStatus = "running"
	// Finished means that every command has ended.
	Finished BatchStatus = "finished"
)

// Effect is what a previewed command would do.
type Effect string

// What a previewed command would do, judged from the mirror.
const (
	EffectCreate   Effect = "create"
	EffectChange   Effect = "change"
	EffectNoChange Effect = "no_change"
	EffectUnknown  Effect = "unknown"
)

// EventKind says what an event of the log is about.
type EventKind string

const (
	// EventCommand is a change of a command.
	EventCommand EventKind = "command"
	// EventNote is a note written, removed or moved.
	EventNote EventKind = "note"
	// EventIssue is a change of an issue in the mirror.
	EventIssue EventKind = "issue"
	// EventPace is a change of the pace or of the pause.
	EventPace EventKind = "pace"
	// EventBatch is a batch held or released; it wakes those who watch batches and is not shown in the log.
	EventBatch EventKind = "batch"
	// EventAgent is an agent that took the seat or changed its word; it wakes those who watch the queue.
	EventAgent EventKind = "agent"
)

// EventKinds are all of them, also those that only wake.
func EventKinds() []EventKind {
	return []EventKind{EventCommand, EventNote, EventIssue, EventPace, EventBatch, EventAgent}
}
