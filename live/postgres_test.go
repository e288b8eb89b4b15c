package live_test

import (
	"context"
	"iter"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/live"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// statements counts what a hub sends to its database.
type statements struct{ sent atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.sent.Add(1)

	return ctx
}

func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// hub is one of several on a database.
type hub struct {
	*db.DB

	t    *testing.T
	url  string
	tail *live.Tail
	sent *statements
}

// hubs opens a new database by several hubs, which find nothing by looking: they have to hear of it.
func hubs(t *testing.T, count int, look time.Duration) []*hub {
	t.Helper()

	url := pgtest.New(t)
	all := make([]*hub, count)

	for i := range all {
		sent := &statements{}

		d, err := db.Open(t.Context(), url, db.Options{Log: slog.New(slog.DiscardHandler), Tracer: sent})
		if err != nil {
			t.Fatal(err)
		}

		if i == 0 {
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}

		all[i] = &hub{d, t, url, live.NewTail(d, d, live.Timing{Look: look}), sent}

		t.Cleanup(func() {
			all[i].tail.Close()
			d.Close()
		})
	}

	return all
}

func (h *hub) site() queue.SiteID {
	h.t.Helper()

	id, err := h.CreateSite(h.t.Context(), "site-"+strconv.Itoa(int(time.Now().UnixNano())))
	if err != nil {
		h.t.Fatal(err)
	}

	return id
}

// order makes a batch of that many comments, and with them as many events.
func (h *hub) order(of queue.SiteID, comments int) {
	h.t.Helper()

	commands := make([]queue.CommandSpec, comments)
	for i := range commands {
		commands[i].Params = queue.EnsureComment{Key: "A-1", Body: "hello"}
	}

	_, err := queue.New(h, h, h, queue.Timing{}, nil).
		CreateBatch(h.t.Context(), queue.Actor{Site: of, Name: "ann"}, queue.BatchSpec{Commands: commands})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hub) head(of queue.SiteID) queue.Cursor {
	h.t.Helper()

	head, err := h.Head(h.t.Context(), of)
	if err != nil {
		h.t.Fatal(err)
	}

	return head
}

func (h *hub) follow(ctx context.Context, of queue.SiteID, after *queue.Cursor) iter.Seq2[*queue.Event, error] {
	events, err := h.tail.Follow(ctx, of, queue.LogQuery{After: after})
	if err != nil {
		h.t.Error(err)

		return func(func(*queue.Event, error) bool) {}
	}

	return events
}

// reads takes events until that one, each of which has to follow the one before, and tells whether it got there.
func (h *hub) reads(events iter.Seq2[*queue.Event, error], from, to int64) (last queue.Cursor) {
	for event, err := range events {
		if err != nil {
			h.t.Error(err)

			return last
		}

		if event.Cursor.Seq != from+1 {
			h.t.Errorf("event %d follows %d", event.Cursor.Seq, from)
		}

		if from, last = event.Cursor.Seq, event.Cursor; from >= to {
			break
		}
	}

	return last
}

func TestAChangeInOneHubReachesTheReadersOfAll(t *testing.T) {
	t.Parallel()

	all := hubs(t, 2, time.Hour)
	site := all[0].site()
	begin := all[0].head(site)

	// They never look by themselves. That a hub hears it tells by ringing for all.
	for _, h := range all {
		<-h.Woken(site)
	}

	var readers sync.WaitGroup

	for i := range 8 {
		readers.Go(func() {
			h := all[i%2]
			h.reads(h.follow(t.Context(), site, &begin), 0, 300)
		})
	}

	for i := range 30 {
		all[i%2].order(site, 10)
	}

	readers.Wait()
}

func TestAReaderThatGoesToAnotherHubMissesNothing(t *testing.T) {
	t.Parallel()

	all := hubs(t, 2, 0)
	site := all[0].site()
	at := all[0].head(site)
	done := make(chan struct{})

	go func() {
		defer close(done)

		for i := range 40 {
			all[i%2].order(site, 25)
		}
	}()

	// From hub to hub, a few events at each.
	for round := 0; at.Seq < 1000; round++ {
		h := all[round%2]
		if last := h.reads(h.follow(t.Context(), site, &at), at.Seq, min(1000, at.Seq+17)); last.Seq == 0 {
			t.Fatal("it cannot go on")
		} else {
			at = last
		}
	}

	<-done
}

// comeBack has as many readers come back to a hub at once that serves nobody yet, and gives how many statements it sent
// until each was at the head.
func comeBack(t *testing.T, h *hub, of queue.SiteID, readers int, after *queue.Cursor, head int64) int64 {
	t.Helper()

	ctx, cancel := context.WithCancel(t.Context())
	before := h.sent.sent.Load()

	var all sync.WaitGroup

	for range readers {
		all.Go(func() { h.reads(h.follow(ctx, of, after), after.Seq, head) })
	}

	all.Wait()
	cancel()

	return h.sent.sent.Load() - before
}

func TestHowOftenTheDatabaseIsAskedDoesNotGrowWithThoseWhoComeBack(t *testing.T) {
	t.Parallel()

	h := hubs(t, 1, 0)[0]
	site := h.site()
	begin := h.head(site)

	h.order(site, 1500)

	one := comeBack(t, h, site, 1, &begin, 1500)
	many := comeBack(t, h, site, 1000, &begin, 1500)
	t.Logf("1 reader: %d statements; 1,000 readers that come back at once: %d", one, many)

	// Each of the 1,000 asking by itself would be 4,000 and more. What is left is a look now and then while they come.
	if many > one+500 {
		t.Errorf("1,000 readers made %d statements, one makes %d", many, one)
	}
}

func TestAReaderOfALogThatIsPrunedIsToldSo(t *testing.T) {
	t.Parallel()

	h := hubs(t, 1, 10*time.Millisecond)[0]
	site := h.site()
	begin := h.head(site)

	h.order(site, 1500)

	events, err := h.tail.Follow(t.Context(), site, queue.LogQuery{After: &begin})
	if err != nil {
		t.Fatal(err)
	}

	slow := pull(t, events)
	slow.wantSeq(1)

	prune(t, h, site, 1000)

	if _, err := h.tail.Follow(t.Context(), site, queue.LogQuery{After: &begin}); queue.CodeOf(err) != queue.CursorExpired {
		t.Errorf("at the beginning: %v", err)
	}

	// What it holds already it still gives; then it asks for more.
	for at := int64(1); ; at++ {
		event, err, ok := slow.next()
		if queue.CodeOf(err) == queue.CursorExpired {
			break
		}

		if !ok || err != nil || event.Cursor.Seq != at+1 {
			t.Fatalf("%+v, %v, %t behind %d", event, err, ok, at)
		}

		if at > 1000 {
			t.Fatal("it was told nothing")
		}
	}

	oldest, err := h.Log(t.Context(), site, queue.LogQuery{First: 1})
	if err != nil {
		t.Fatal(err)
	}

	h.reads(h.follow(t.Context(), site, &oldest.Begin), 1001, 1500)
}

func prune(t *testing.T, h *hub, of queue.SiteID, upTo int64) {
	t.Helper()

	conn, err := pgx.Connect(t.Context(), h.url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()

	if _, err := conn.Exec(t.Context(), "DELETE FROM events WHERE site_id = $1 AND seq <= $2", of, upTo); err != nil {
		t.Fatal(err)
	}
}
