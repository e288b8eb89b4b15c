// What the editor shows at first: what the role may run, one after the other.
export function examplesFor(role: string): string {
  return role === 'AGENT' ? agents : readers;
}

const readers = `# What the hub works on now.
query Queue {
  queue {
    counts { total queued claimed done failed }
    pace { paused minPauseSeconds maxPauseSeconds }
    agents { name online }
  }
}

# Every change as it happens; the answers come one below the other, the newest last.
subscription Log {
  logAppended {
    __typename
    ... on CommandChange { at cause to command { id kind } }
    ... on NoteChange { at key note { text author } }
    ... on IssueChange { at issue { key status } }
    ... on PaceChange { at actor pace { paused } }
  }
}
`;

const agents = `# Who the hub takes you for.
query Viewer {
  viewer { name role site }
}

# The next command, or why there is none. It is yours then: report it, or it is delivered again, at most three times.
mutation Claim {
  claim {
    idleReason
    claim {
      command { id kind }
      params {
        ... on EnsureIssue { project issueType summary }
        ... on EnsureFields { key fields }
        ... on EnsureStatus { key path }
        ... on EnsureLink { source target type exclusive }
        ... on EnsureSprint { key sprint }
        ... on EnsureComment { key body }
        ... on Refresh { keys jql }
      }
      pauseSeconds
      delivery
    }
  }
}
`;
