package hubtest

// The queries, each with its one root field as `answer`.
const (
	// QueryViewer asks who calls.
	QueryViewer = `query { answer: viewer { name role site } }`
	// QueryQueue asks for the counts, the pace, the agents and the log's position.
	QueryQueue = `query { answer: queue { ...queue } }` + queueFragment
	// QueryCommand asks for one command and what hangs on it.
	QueryCommand = `query ($id: ID!) { answer: command(id: $id) {
  ...command
  batch { id }
  dependsOn { id }
  dependents { nodes { id } totalCount }
  rootCause { id }
  retryOf { id }
  retries { id }
  history { cursor at from to cause actor command { id status } }
} }` + commandFragment
	// QueryCommands lists commands, newest first.
	QueryCommands = `query ($filter: CommandFilter, $first: Int! = 50, $after: String) {
  answer: commands(filter: $filter, first: $first, after: $after) {
    nodes { ...command }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}` + commandFragment
	// QueryBatch asks for one batch with a page of its commands, by position.
	QueryBatch = `query ($id: ID!, $first: Int! = 50, $after: String, $statuses: [CommandStatus!], $search: String) {
  answer: batch(id: $id) {
    ...batch
    commands(first: $first, after: $after, statuses: $statuses, search: $search) {
      nodes { ...command }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
}` + batchFragment + commandFragment
	// QueryBatches lists batches, newest first.
	QueryBatches = `query ($filter: BatchFilter, $first: Int! = 50, $after: String) {
  answer: batches(filter: $filter, first: $first, after: $after) {
    nodes { ...batch }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}` + batchFragment
	// PreviewBatch asks what createBatch would find wrong and what would change.
	PreviewBatch = `query ($input: BatchInput!) { answer: previewBatch(input: $input) {
  problems { command code message position field }
  steps { position kind effect diffs { field current desired } waitsFor }
} }`
	// QueryJira asks what the agent told of Jira.
	QueryJira = `query { answer: jira { ...jira } }` + jiraFragment
	// QueryIssue asks for one issue of the mirror.
	QueryIssue = `query ($key: IssueKey!) { answer: issue(key: $key) {
  ...issue
  commands { nodes { id } }
} }` + issueFragment
	// QueryIssues lists issues, by project and number.
	QueryIssues = `query ($filter: IssueFilter, $first: Int! = 50, $after: String) {
  answer: issues(filter: $filter, first: $first, after: $after) {
    nodes { ...issue }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}` + issueFragment
	// QueryNote asks for one note.
	QueryNote = `query ($key: IssueKey!) { answer: note(key: $key) { ...note } }` + noteFragment
	// QueryNotes lists notes, newest first.
	QueryNotes = `query ($first: Int! = 50, $after: String) { answer: notes(first: $first, after: $after) {
  nodes { ...note }
  pageInfo { hasNextPage endCursor }
  totalCount
} }` + noteFragment
	// QueryLog reads the event log.
	QueryLog = `query ($after: Cursor, $first: Int! = 1000, $newestFirst: Boolean! = false, $kinds: [EventKind!], $actor: String) {
  answer: log(after: $after, first: $first, newestFirst: $newestFirst, kinds: $kinds, actor: $actor) {
    nodes { ...event }
    pageInfo { hasNextPage endCursor }
  }
}` + eventFragment
)
