package trial

// The operations that the trial calls, each with its one root field as `answer`.
const (
	paramsFields = `
fragment params on CommandParams {
  __typename
  ... on EnsureIssue { tempKey project issueType summary description parent epic fields }
  ... on EnsureFields { key fields }
  ... on EnsureStatus { key path }
  ... on EnsureLink { source target type exclusive }
  ... on EnsureSprint { key sprint }
  ... on EnsureComment { key body }
  ... on Refresh { keys jql }
}`
	commandFields = `
fragment command on Command {
  id kind status error resultKey deliveries claimedAt finishedAt batch { id }
}`
	countsFields = `
fragment counts on StatusCounts { queued claimed done failed cancelled skipped confirmedByState total }`
	batchFields = `
fragment batch on Batch { id title author status held finishedAt counts { ...counts } }` + countsFields
	madeFields = `
fragment made on BatchPayload { batch { ...batch commands(first: 1000) { nodes { id } } } }` + batchFields
	cancelFields = `
fragment cancel on CancelPayload {
  cancelledCount skippedCount cancelled(first: 1000) { id } skipped(first: 1000) { id } stillClaimed { id } alreadyEnded { id }
}`
	paceFields = `
fragment pace on Pace {
  minPauseSeconds maxPauseSeconds paused pausedBy pausedReason pausedAt pauseAfterFailures
  workingHours { timeZone days from to }
}`
	noteFields = `
fragment note on Note { key text author updatedAt }`
	issueFields = `
fragment issue on Issue {
  key project issueType summary description status sprint parent fields refreshedAt missing
  links { type direction key outwardName inwardName } note { ...note }
}` + noteFields
	jiraFields = `
fragment jira on Jira {
  baseUrl deployment version toldAt statuses fields { id name schema } linkTypes { name outward inward }
  projects { key name issueTypes } sprints { id name state board }
}`

	createBatch = `mutation ($input: BatchInput!) { answer: createBatch(input: $input) { ...made } }` + madeFields
	// createLarge asks for the counts alone.
	createLarge    = `mutation ($input: BatchInput!) { answer: createBatch(input: $input) { batch { ...batch } } }` + batchFields
	cancelCommands = `mutation ($ids: [ID!]!, $force: Boolean! = false) {
  answer: cancelCommands(ids: $ids, force: $force) { ...cancel } }` + cancelFields
	cancelBatch = `mutation ($id: ID!, $force: Boolean! = false) { answer: cancelBatch(id: $id, force: $force) { ...cancel } }` +
		cancelFields
	holdBatch     = `mutation ($id: ID!) { answer: holdBatch(id: $id) { ...batch } }` + batchFields
	releaseBatch  = `mutation ($id: ID!) { answer: releaseBatch(id: $id) { ...batch } }` + batchFields
	retryCommands = `mutation ($ids: [ID!]!, $withRelated: Boolean! = false, $clientKey: String) {
  answer: retryCommands(ids: $ids, withRelated: $withRelated, clientKey: $clientKey) { ...made } }` + madeFields
	setNote = `mutation ($key: IssueKey!, $text: String!, $ifUpdatedAt: Time) {
  answer: setNote(key: $key, text: $text, ifUpdatedAt: $ifUpdatedAt) { ...note } }` + noteFields
	setPace     = `mutation ($input: PaceInput!) { answer: setPace(input: $input) { ...pace } }` + paceFields
	pauseQueue  = `mutation ($reason: String) { answer: pauseQueue(reason: $reason) { ...pace } }` + paceFields
	resumeQueue = `mutation { answer: resumeQueue { ...pace } }` + paceFields

	claimNext = `mutation ($waitSeconds: Int! = 0, $instance: String) {
  answer: claim(waitSeconds: $waitSeconds, instance: $instance) {
    claim { command { ...command params { ...params } } params { ...params } pauseSeconds delivery dedupeKey } idleReason
  } }` + commandFields + paramsFields
	heartbeat = `mutation ($instance: String!, $version: String, $problem: String) {
  answer: heartbeat(instance: $instance, version: $version, problem: $problem) {
    name instance version lastSeenAt online problem } }`
	reportOutcome = `mutation ($input: ReportInput!) { answer: report(input: $input) { accepted command { ...command } } }` +
		commandFields
	pushJira   = `mutation ($input: JiraInput!) { answer: pushJira(input: $input) { ...jira } }` + jiraFields
	pushIssues = `mutation ($issues: [IssueSnapshot!]!, $missing: [IssueKey!]! = [], $command: ID, $total: Int, $instance: String) {
  answer: pushIssues(issues: $issues, missing: $missing, command: $command, total: $total, instance: $instance) {
    stored confirmed { id } } }`

	queryViewer = `query { answer: viewer { name role site } }`
	queryQueue  = `query { answer: queue {
  cursor counts { ...counts } pace { ...pace } agents { name instance version lastSeenAt online problem } } }` +
		countsFields + paceFields
	queryCommand = `query ($id: ID!) { answer: command(id: $id) {
  ...command params { ...params } progress { done total } dependsOn { id } dependents { nodes { id } totalCount }
  rootCause { id } retryOf { id } retries { id } history { cursor at from to cause actor command { id status } } } }` +
		commandFields + paramsFields
	queryCommands = `query ($filter: CommandFilter, $first: Int! = 50, $after: String) {
  answer: commands(filter: $filter, first: $first, after: $after) {
    nodes { ...command } pageInfo { hasNextPage endCursor } totalCount } }` + commandFields
	queryBatch = `query ($id: ID!, $statuses: [CommandStatus!], $search: String) { answer: batch(id: $id) {
  ...batch commands(first: 100, statuses: $statuses, search: $search) { nodes { ...command } totalCount } } }` +
		batchFields + commandFields
	queryBatches = `query ($filter: BatchFilter, $first: Int! = 50, $after: String) {
  answer: batches(filter: $filter, first: $first, after: $after) {
    nodes { ...batch } pageInfo { hasNextPage endCursor } totalCount } }` + batchFields
	previewBatch = `query ($input: BatchInput!) { answer: previewBatch(input: $input) {
  problems { command code message position field } steps { position kind effect diffs { field current desired } waitsFor } } }`
	queryJira  = `query { answer: jira { ...jira } }` + jiraFields
	queryIssue = `query ($key: IssueKey!) { answer: issue(key: $key) { ...issue commands { nodes { id } } } }` + issueFields
	queryList  = `query ($filter: IssueFilter, $first: Int! = 50, $after: String) {
  answer: issues(filter: $filter, first: $first, after: $after) {
    nodes { ...issue } pageInfo { hasNextPage endCursor } totalCount } }` + issueFields
	queryNote  = `query ($key: IssueKey!) { answer: note(key: $key) { ...note } }` + noteFields
	queryNotes = `query ($first: Int! = 50, $after: String) { answer: notes(first: $first, after: $after) {
  nodes { ...note } pageInfo { hasNextPage endCursor } totalCount } }` + noteFields
	queryLog = `query ($after: Cursor, $first: Int! = 100, $newestFirst: Boolean! = false, $kinds: [EventKind!], $actor: String) {
  answer: log(after: $after, first: $first, newestFirst: $newestFirst, kinds: $kinds, actor: $actor) {
    nodes {
      __typename
      ... on CommandChange { cursor at from to cause actor command { ...command } }
      ... on NoteChange { cursor at key movedFrom note { ...note } }
      ... on IssueChange { cursor at issue { key } }
      ... on PaceChange { cursor at by: actor pace { ...pace } }
    }
    pageInfo { hasNextPage endCursor } } }` + commandFields + noteFields + paceFields

	// Two that are refused whoever asks, and what verbs there are.
	queryNonsense = `query { answer: viewer { name shoeSize } }`
	queryTooMuch  = `query { answer: batches(first: 1000) { nodes { commands(first: 1000) { nodes { id } } } } }`
	queryVerbs    = `query { answer: __schema { queryType { fields { name } } mutationType { fields { name } } } }`
)
