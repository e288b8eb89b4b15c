package hubtest

// The mutations, each with its one root field as `answer`.
const (
	// CreateBatch creates a batch and asks for its first thousand commands.
	CreateBatch = `mutation ($input: BatchInput!) { answer: createBatch(input: $input) { batch {
  ...batch
  commands(first: 1000) { nodes { ...command } }
} } }` + batchFragment + commandFragment
	// CreateLargeBatch creates a batch and asks for its counts alone.
	CreateLargeBatch = `mutation ($input: BatchInput!) { answer: createBatch(input: $input) { batch { ...batch } } }` + batchFragment
	// CancelCommands calls off the named commands.
	CancelCommands = `mutation ($ids: [ID!]!, $force: Boolean! = false) {
  answer: cancelCommands(ids: $ids, force: $force) { ...cancelled }
}` + cancelFragment
	// CancelBatch calls off what is open of a batch.
	CancelBatch = `mutation ($id: ID!, $force: Boolean! = false) {
  answer: cancelBatch(id: $id, force: $force) { ...cancelled }
}` + cancelFragment
	// HoldBatch puts a batch on hold.
	HoldBatch = `mutation ($id: ID!) { answer: holdBatch(id: $id) { ...batch } }` + batchFragment
	// ReleaseBatch ends the hold.
	ReleaseBatch = `mutation ($id: ID!) { answer: releaseBatch(id: $id) { ...batch } }` + batchFragment
	// RetryCommands makes new commands of those that did not succeed.
	RetryCommands = `mutation ($ids: [ID!]!, $withRelated: Boolean! = false, $clientKey: String) {
  answer: retryCommands(ids: $ids, withRelated: $withRelated, clientKey: $clientKey) { batch {
    ...batch
    commands(first: 1000) { nodes { ...command } }
  } }
}` + batchFragment + commandFragment
	// SetNote writes or, with an empty text, removes a note.
	SetNote = `mutation ($key: IssueKey!, $text: String!, $ifUpdatedAt: Time) {
  answer: setNote(key: $key, text: $text, ifUpdatedAt: $ifUpdatedAt) { ...note }
}` + noteFragment
	// SetPace changes how fast and when the agent may work.
	SetPace = `mutation ($input: PaceInput!) { answer: setPace(input: $input) { ...pace } }` + paceFragment
	// PauseQueue stops the handing out.
	PauseQueue = `mutation ($reason: String) { answer: pauseQueue(reason: $reason) { ...pace } }` + paceFragment
	// ResumeQueue lets it go on.
	ResumeQueue = `mutation { answer: resumeQueue { ...pace } }` + paceFragment

	// ClaimNext asks for the agent's next command.
	ClaimNext = `mutation ($waitSeconds: Int! = 0, $instance: String) {
  answer: claim(waitSeconds: $waitSeconds, instance: $instance) {
    claim { command { ...command } params { ...params } pauseSeconds delivery dedupeKey }
    idleReason
  }
}` + commandFragment
	// Heartbeat says that the agent is alive.
	Heartbeat = `mutation ($instance: String!, $version: String, $problem: String) {
  answer: heartbeat(instance: $instance, version: $version, problem: $problem) {
    name instance version lastSeenAt online problem
  }
}`
	// ReportOutcome says what became of a command.
	ReportOutcome = `mutation ($input: ReportInput!) { answer: report(input: $input) { command { ...command } accepted } }` + commandFragment
	// PushJira says what Jira this is.
	PushJira = `mutation ($input: JiraInput!) { answer: pushJira(input: $input) { ...jira } }` + jiraFragment
	// PushIssues says how issues are now.
	PushIssues = `mutation ($issues: [IssueSnapshot!]!, $missing: [IssueKey!]! = [], $command: ID, $total: Int, $instance: String) {
  answer: pushIssues(issues: $issues, missing: $missing, command: $command, total: $total, instance: $instance) {
    confirmed { id } stored
  }
}`
)
