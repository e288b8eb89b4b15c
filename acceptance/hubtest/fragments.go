package hubtest

// What the tests look at of the contract's types. An operation that spreads one
// of these also ends with it.
const (
	paramsFragment = `
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
	commandFragment = `
fragment command on Command {
  id position kind status error resultKey deliveries createdAt claimedAt finishedAt
  progress { done total }
  params { ...params }
}` + paramsFragment
	countsFragment = `
fragment counts on StatusCounts { queued claimed done failed cancelled skipped confirmedByState total }`
	batchFragment = `
fragment batch on Batch { id title author createdAt finishedAt status held counts { ...counts } }` + countsFragment
	paceFragment = `
fragment pace on Pace {
  minPauseSeconds maxPauseSeconds paused pausedBy pausedReason pausedAt pauseAfterFailures
  workingHours { timeZone days from to }
}`
	noteFragment = `
fragment note on Note { key text author updatedAt }`
	issueFragment = `
fragment issue on Issue {
  key project issueType summary description status sprint parent fields refreshedAt missing
  links { type direction key outwardName inwardName }
  note { ...note }
}` + noteFragment
	queueFragment = `
fragment queue on Queue {
  cursor
  counts { ...counts }
  pace { ...pace }
  agents { name instance version lastSeenAt online problem }
}` + countsFragment + paceFragment
	cancelFragment = `
fragment cancelled on CancelPayload {
  cancelledCount skippedCount
  cancelled { id } skipped { id } stillClaimed { id } alreadyEnded { id }
}`
	jiraFragment = `
fragment jira on Jira {
  baseUrl deployment version toldAt statuses
  fields { id name schema } linkTypes { name outward inward }
  projects { key name issueTypes } sprints { id name state board }
}`
	eventFragment = `
fragment change on CommandChange { cursor at from to cause actor command { ...command } }
fragment event on SiteEvent {
  __typename
  ... on CommandChange { ...change }
  ... on NoteChange { noteCursor: cursor key movedFrom note { ...note } }
  ... on IssueChange { issueCursor: cursor issue { key summary } }
  ... on PaceChange { paceCursor: cursor paceActor: actor pace { ...pace } }
}` + commandFragment + noteFragment + paceFragment
)
