package resolvers

import (
	"sync"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Config is what the resolvers work with.
type Config struct {
	Queue  *queue.Queue
	Reader queue.Reader
	Live   *live.Tail
}

// Resolver answers for every field that is more than a member of a struct.
type Resolver struct {
	queue  *queue.Queue
	reader queue.Reader
	live   *live.Tail
	// asked is what subscribers share of commands.
	asked *asked
	// streams are the running subscriptions.
	streams sync.WaitGroup
}

var _ graph.ResolverRoot = (*Resolver)(nil)

// New makes the resolvers. NewExecutableSchema makes them a schema.
func New(config Config) *Resolver {
	return &Resolver{
		queue: config.Queue, reader: config.Reader, live: config.Live,
		asked: &asked{reader: config.Reader},
	}
}

// Wait returns when no subscription runs any more. Each ends with its context; none may begin meanwhile.
func (r *Resolver) Wait() { r.streams.Wait() }

// Each kind of object that has resolvers has a type of its own, since several share the names of their fields.
type (
	query         struct{ *Resolver }
	mutation      struct{ *Resolver }
	subscription  struct{ *Resolver }
	command       struct{ *Resolver }
	commandChange struct{ *Resolver }
	batch         struct{ *Resolver }
	issue         struct{ *Resolver }
	issueChange   struct{ *Resolver }
	queueAnswer   struct{ *Resolver }
	batchPayload  struct{ *Resolver }
	cancelPayload struct{ *Resolver }
	claim         struct{ *Resolver }
	reportPayload struct{ *Resolver }
	pushPayload   struct{ *Resolver }
)

// Query answers for the root fields of queries.
func (r *Resolver) Query() graph.QueryResolver { return query{r} }

// Mutation answers for the root fields of mutations.
func (r *Resolver) Mutation() graph.MutationResolver { return mutation{r} }

// Subscription answers for the root fields of subscriptions.
func (r *Resolver) Subscription() graph.SubscriptionResolver { return subscription{r} }

// Command answers for what hangs on a command.
func (r *Resolver) Command() graph.CommandResolver { return command{r} }

// CommandChange answers for the command of a change.
func (r *Resolver) CommandChange() graph.CommandChangeResolver { return commandChange{r} }

// Batch answers for the commands of a batch.
func (r *Resolver) Batch() graph.BatchResolver { return batch{r} }

// Issue answers for what hangs on an issue.
func (r *Resolver) Issue() graph.IssueResolver { return issue{r} }

// IssueChange answers for the issue of a change.
func (r *Resolver) IssueChange() graph.IssueChangeResolver { return issueChange{r} }

// Queue answers for the agents of a queue.
func (r *Resolver) Queue() graph.QueueResolver { return queueAnswer{r} }

// BatchPayload answers for the batch that was made.
func (r *Resolver) BatchPayload() graph.BatchPayloadResolver { return batchPayload{r} }

// CancelPayload answers for the commands that a cancel named.
func (r *Resolver) CancelPayload() graph.CancelPayloadResolver { return cancelPayload{r} }

// Claim answers for the command that was handed out.
func (r *Resolver) Claim() graph.ClaimResolver { return claim{r} }

// ReportPayload answers for the command that was reported.
func (r *Resolver) ReportPayload() graph.ReportPayloadResolver { return reportPayload{r} }

// PushPayload answers for the commands that a push confirmed.
func (r *Resolver) PushPayload() graph.PushPayloadResolver { return pushPayload{r} }
