package db

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// roundTrips counts the pipelined ones, of which a change is made.
type roundTrips struct{ atomic.Int64 }

func (*roundTrips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (*roundTrips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *roundTrips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	r.Add(1)

	return ctx
}
func (*roundTrips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*roundTrips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// claimed makes a batch of two commands and claims the first of them at a hub.
func claimed(t *testing.T, hub *queue.Queue, by queue.Actor) queue.CommandID {
	t.Helper()

	_, err := hub.CreateBatch(t.Context(), by, queue.BatchSpec{Commands: []queue.CommandSpec{
		{Params: queue.EnsureComment{Key: "AURORA-1", Body: "one"}},
		{Params: queue.EnsureComment{Key: "AURORA-1", Body: "two"}},
	}})
	if err != nil {
		t.Fatal(err)
	}

	handout, idle, err := hub.Claim(t.Context(), by, queue.ClaimCall{Instance: "agent"})
	if err != nil || handout == nil {
		t.Fatalf("nothing was handed out: %s, %v", idle, err)
	}

	return handout.Command
}

func done(id queue.CommandID) queue.Report {
	return queue.Report{Command: id, Outcome: queue.OutcomeDone, Instance: "agent"}
}

func TestAReportIsOneRoundTripWhereNothingHappenedSinceItsClaim(t *testing.T) {
	t.Parallel()

	var trips roundTrips

	one, _, site := twoHubs(t, Options{Tracer: &trips})
	by := queue.Actor{Site: site, Name: "ann"}
	hub := queue.New(one, one, one, queue.Timing{}, nil)
	id := claimed(t, hub, by)

	trips.Store(0)

	if accepted, err := hub.Report(t.Context(), by, done(id)); err != nil || !accepted {
		t.Fatalf("the report: %t, %v", accepted, err)
	}

	if n := trips.Load(); n != 1 {
		t.Errorf("the report took %d round trips", n)
	}

	if accepted, err := hub.Report(t.Context(), by, done(id)); err != nil || !accepted {
		t.Errorf("repeated: %t, %v", accepted, err)
	}
}

func TestAReportSeesWhatAnotherHubDidSinceItsClaim(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, Options{})
	by := queue.Actor{Site: site, Name: "ann"}
	here, there := queue.New(one, one, one, queue.Timing{}, nil), queue.New(two, two, two, queue.Timing{}, nil)
	id := claimed(t, here, by)

	if _, err := there.CancelCommands(t.Context(), by, []queue.CommandID{id}, true); err != nil {
		t.Fatal(err)
	}

	if accepted, err := here.Report(t.Context(), by, done(id)); err != nil || accepted {
		t.Errorf("of a command cancelled in another hub: %t, %v", accepted, err)
	}

	commands, err := two.CommandsByID(t.Context(), site, []queue.CommandID{id})
	if err != nil || commands[id].Status != queue.Cancelled {
		t.Errorf("the command is %+v, %v", commands[id], err)
	}
}

func TestAReportLeavesWhatAnotherHubChangedSinceItsClaim(t *testing.T) {
	t.Parallel()

	one, two, site := twoHubs(t, Options{})
	by := queue.Actor{Site: site, Name: "ann"}
	id := claimed(t, queue.New(one, one, one, queue.Timing{}, nil), by)

	change(t, two, site)

	if accepted, err := queue.New(one, one, one, queue.Timing{}, nil).Report(t.Context(), by, done(id)); err != nil || !accepted {
		t.Fatalf("the report: %t, %v", accepted, err)
	}

	state, err := two.Queue(t.Context(), site)
	if err != nil || !state.Pace.Paused || state.Counts.Done != 1 || state.Counts.Queued != 1 {
		t.Errorf("the queue is %+v, %v", state, err)
	}

	// creation, claim, seat, pause and report: none lost and none twice
	page, err := two.Log(t.Context(), site, queue.LogQuery{First: 100, Kinds: queue.EventKinds()})
	if err != nil {
		t.Fatal(err)
	}

	for i, event := range page.Events {
		if event.Cursor.Seq != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, event.Cursor.Seq)
		}
	}
}
