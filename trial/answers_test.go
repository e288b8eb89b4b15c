package trial

import (
	"encoding/json"
	"time"
)

// ref is a command of which only the id was asked.
type ref struct {
	ID string `json:"id"`
}

// commandAnswer is a command as the API shows it.
type commandAnswer struct {
	ID         string          `json:"id"`
	Kind       string          `json:"kind"`
	Status     string          `json:"status"`
	Error      *string         `json:"error"`
	ResultKey  *string         `json:"resultKey"`
	Deliveries int             `json:"deliveries"`
	ClaimedAt  *time.Time      `json:"claimedAt"`
	FinishedAt *time.Time      `json:"finishedAt"`
	Batch      ref             `json:"batch"`
	Params     json.RawMessage `json:"params"`
}

// countsAnswer is how many commands have each status.
type countsAnswer struct {
	Queued           int `json:"queued"`
	Claimed          int `json:"claimed"`
	Done             int `json:"done"`
	Failed           int `json:"failed"`
	Cancelled        int `json:"cancelled"`
	Skipped          int `json:"skipped"`
	ConfirmedByState int `json:"confirmedByState"`
	Total            int `json:"total"`
}

// inOrder lists them as statuses does.
func (c countsAnswer) inOrder() counts {
	return counts{c.Queued, c.Claimed, c.Done, c.Failed, c.Cancelled, c.Skipped, c.ConfirmedByState}
}

// batchAnswer is a batch, with its commands where they were asked for.
type batchAnswer struct {
	ID       string       `json:"id"`
	Author   string       `json:"author"`
	Status   string       `json:"status"`
	Held     bool         `json:"held"`
	Counts   countsAnswer `json:"counts"`
	Commands struct {
		Nodes []commandAnswer `json:"nodes"`
	} `json:"commands"`
}

func (b *batchAnswer) commandIDs() []string {
	ids := make([]string, 0, len(b.Commands.Nodes))
	for _, command := range b.Commands.Nodes {
		ids = append(ids, command.ID)
	}

	return ids
}

// madeAnswer answers createBatch and retryCommands.
type madeAnswer struct {
	Batch batchAnswer `json:"batch"`
}

// cancelAnswer answers a cancel.
type cancelAnswer struct {
	CancelledCount int   `json:"cancelledCount"`
	SkippedCount   int   `json:"skippedCount"`
	Cancelled      []ref `json:"cancelled"`
	Skipped        []ref `json:"skipped"`
	StillClaimed   []ref `json:"stillClaimed"`
	AlreadyEnded   []ref `json:"alreadyEnded"`
}

// handout is a command as it was handed to the agent.
type handout struct {
	Command   commandAnswer   `json:"command"`
	Params    json.RawMessage `json:"params"`
	Delivery  int             `json:"delivery"`
	DedupeKey string          `json:"dedupeKey"`
}

// claimAnswer answers a claim.
type claimAnswer struct {
	Claim      *handout `json:"claim"`
	IdleReason *string  `json:"idleReason"`
}

// reportAnswer answers a report.
type reportAnswer struct {
	Command  commandAnswer `json:"command"`
	Accepted bool          `json:"accepted"`
}

// pushAnswer answers a push.
type pushAnswer struct {
	Stored    int   `json:"stored"`
	Confirmed []ref `json:"confirmed"`
}

// noteAnswer is a note; its age is kept as it was written, to be sent back.
type noteAnswer struct {
	Key       string `json:"key"`
	Text      string `json:"text"`
	UpdatedAt string `json:"updatedAt"`
}

// queueAnswer is the queue as the API shows it.
type queueAnswer struct {
	Cursor string       `json:"cursor"`
	Counts countsAnswer `json:"counts"`
}

// page is one page of a list.
type page[T any] struct {
	Nodes    []T `json:"nodes"`
	PageInfo struct {
		HasNextPage bool    `json:"hasNextPage"`
		EndCursor   *string `json:"endCursor"`
	} `json:"pageInfo"`
	TotalCount *int `json:"totalCount"`
}

// eventAnswer is an event of any kind; what its kind has not is empty.
type eventAnswer struct {
	Typename  string        `json:"__typename"`
	Cursor    string        `json:"cursor"`
	At        time.Time     `json:"at"`
	From      *string       `json:"from"`
	To        string        `json:"to"`
	Cause     string        `json:"cause"`
	Actor     *string       `json:"actor"`
	Command   commandAnswer `json:"command"`
	Key       string        `json:"key"`
	MovedFrom *string       `json:"movedFrom"`
}
