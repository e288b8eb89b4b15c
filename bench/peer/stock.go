package peer

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// pings are as far apart as the hub's; queries is how many queries gqlgen keeps parsed, as it recommends.
const (
	pings   = 25 * time.Second
	queries = 1000
)

// stock is gqlgen as it comes, on the hub's own schema: a channel and an execution for each subscriber. What nobody here
// asks for has no resolver.
type stock struct {
	graph.ResolverRoot

	mu sync.Mutex
	// members have what tells that they are gone.
	members map[chan *graph.CommandChange]<-chan struct{}
}

// Stock is gqlgen with its own websocket transport, a server for Serve.
func Stock() http.Handler {
	s := &stock{members: map[chan *graph.CommandChange]<-chan struct{}{}}

	served := handler.New(graph.NewExecutableSchema(graph.Config{
		Resolvers: s,
		Directives: graph.DirectiveRoot{
			Requires: func(ctx context.Context, _ any, next graphql.Resolver, _ []access.Role) (any, error) {
				return next(ctx)
			},
		},
	}))
	served.AddTransport(transport.Websocket{PingPongInterval: pings})
	served.SetQueryCache(lru.New[*ast.QueryDocument](queries))

	mux := http.NewServeMux()
	mux.Handle("/graphql", served)
	mux.HandleFunc(Path, s.send)

	return mux
}

func (s *stock) send(w http.ResponseWriter, r *http.Request) {
	var posted Change

	err := json.NewDecoder(r.Body).Decode(&posted)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}

	change, err := posted.graphed()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	for member, gone := range s.members {
		select {
		case member <- change:
		case <-gone:
		}
	}
}

// Subscription is of graph.ResolverRoot.
func (s *stock) Subscription() graph.SubscriptionResolver { return stockSubscription{stock: s} }

// CommandChange is of graph.ResolverRoot.
func (s *stock) CommandChange() graph.CommandChangeResolver { return stockChange{} }

type stockSubscription struct {
	graph.SubscriptionResolver

	stock *stock
}

// CommandChanged gives each change that is posted from now on.
func (s stockSubscription) CommandChanged(
	ctx context.Context, _ *queue.Cursor, _, _ *string, _ []queue.Status,
) (<-chan *graph.CommandChange, error) {
	member := make(chan *graph.CommandChange, 1)

	s.stock.mu.Lock()
	s.stock.members[member] = ctx.Done()
	s.stock.mu.Unlock()

	context.AfterFunc(ctx, func() {
		s.stock.mu.Lock()
		delete(s.stock.members, member)
		s.stock.mu.Unlock()

		close(member)
	})

	return member, nil
}

type stockChange struct{}

// Command is the command as the change left it.
func (stockChange) Command(_ context.Context, change *graph.CommandChange) (*queue.Command, error) {
	return &queue.Command{ID: change.Event.Command, Kind: queue.KindStatus, State: change.Event.State}, nil
}
