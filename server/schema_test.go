package server_test

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

// answers say what the resolvers do. A nil one answers with nothing.
type answers struct {
	Queue        func(context.Context) (*graph.Queue, error)
	Jira         func(context.Context) (*queue.Jira, error)
	CreateBatch  func(context.Context, graph.BatchInput) error
	HoldBatch    func(context.Context, string) error
	Claim        func(context.Context, int) (*graph.ClaimPayload, error)
	QueueChanged func(context.Context) (<-chan *graph.QueueChange, error)
}

// trialSchema is the hub's own, over those answers. Whatever else of it is asked for panics, which is INTERNAL.
func trialSchema(answers answers) graphql.ExecutableSchema {
	return graph.NewExecutableSchema(graph.Config{
		Resolvers:  root{answers: answers},
		Directives: graph.DirectiveRoot{Requires: resolvers.Requires},
	})
}

type root struct {
	graph.ResolverRoot

	answers answers
}

// Query answers viewer, queue and jira.
func (r root) Query() graph.QueryResolver { return queries{answers: r.answers} }

// Mutation answers createBatch, holdBatch, setNote and claim.
func (r root) Mutation() graph.MutationResolver { return mutations{answers: r.answers} }

// Subscription answers queueChanged.
func (r root) Subscription() graph.SubscriptionResolver { return subscriptions{answers: r.answers} }

type queries struct {
	graph.QueryResolver

	answers answers
}

func (queries) Viewer(ctx context.Context) (*graph.Viewer, error) {
	caller, _ := access.From(ctx)

	return &graph.Viewer{Name: caller.Token, Role: caller.Role, Site: caller.Site}, nil
}

func (q queries) Queue(ctx context.Context) (*graph.Queue, error) { return q.answers.Queue(ctx) }

func (q queries) Jira(ctx context.Context) (*queue.Jira, error) { return q.answers.Jira(ctx) }

type mutations struct {
	graph.MutationResolver

	answers answers
}

func (m mutations) CreateBatch(ctx context.Context, input graph.BatchInput) (*graph.BatchPayload, error) {
	return nil, m.answers.CreateBatch(ctx, input)
}

func (m mutations) HoldBatch(ctx context.Context, id string) (*queue.Batch, error) {
	return nil, m.answers.HoldBatch(ctx, id)
}

func (mutations) SetNote(ctx context.Context, key queue.Key, text string, _ *time.Time) (*queue.Note, error) {
	caller, _ := access.From(ctx)

	return &queue.Note{Key: key, Text: text, Author: caller.Token}, nil
}

func (m mutations) Claim(ctx context.Context, waitSeconds int, _ *string) (*graph.ClaimPayload, error) {
	return m.answers.Claim(ctx, waitSeconds)
}

type subscriptions struct {
	graph.SubscriptionResolver

	answers answers
}

func (s subscriptions) QueueChanged(ctx context.Context) (<-chan *graph.QueueChange, error) {
	return s.answers.QueueChanged(ctx)
}
