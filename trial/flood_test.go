package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
)

// TestAFloodOfSubscribeAndComplete begins and ends subscriptions as fast as it can, more than its token may have, while
// others read. Nobody is held up by it, what was ended is silent, and afterwards its websockets serve as before.
func TestAFloodOfSubscribeAndComplete(t *testing.T) {
	const floods, pairs, readers, rounds = 4, 1_000, 5, 10

	postgres := startKeptPostgres(t)
	wire := tap(t, postgres)
	at := overDatabase(t, wire.url).with("HUB_RATE_LIMIT=200") // and a thousand at once
	at.serve(t)

	s, err := newSite(t.Context(), at, "flooded", "operator", "agent", "viewer", "admin")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()

	takeSeats(t, []*site{s})

	work := &shift{t: t, operators: []*caller{s.operator}, agents: []*caller{s.agent}}
	work.round(t.Context())

	w := wishes()[0]
	known := newHistory([]*wish{w})
	known.readAll(t, s.operator)

	ctx, stop := context.WithCancel(t.Context())

	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	var others []*subscriber

	for i := range readers {
		one := newSubscriber(i, w, []string{at.address}, s.viewer.token, known.cursors[0])
		others = append(others, one)

		running.Go(func() { one.run(ctx) })
	}

	wire.take()

	flooding := make([]*flood, floods)

	var pouring sync.WaitGroup

	for i := range flooding {
		l, err := connect(ctx, at.address, s.admin.token)
		if err != nil {
			t.Fatal(err)
		}
		defer l.conn.Close() //nolint:errcheck // it has no more to say

		flooding[i] = &flood{line: l, operation: w.operation, after: known.cursors[0], answers: map[string]int{}}

		pouring.Go(func() {
			if err := flooding[i].pour(pairs); err != nil {
				t.Error(err)
			}
		})
	}

	for range rounds {
		work.round(t.Context())
	}

	known.readAll(t, s.operator)

	for _, one := range others {
		await(t, "the others have read what happened meanwhile", func() bool { return one.has(known.newest(), known) })
	}

	pouring.Wait()

	for i, f := range flooding {
		t.Logf("flood %d: %d subscriptions begun and ended, answered by %v", i, pairs, f.answers)
	}

	if total := wire.take().total(); total >= floods*pairs {
		t.Errorf("%d subscriptions took %d statements", floods*pairs, total)
	} else {
		t.Logf("%d statements meanwhile", total)
	}

	for _, f := range flooding {
		if err := f.isSilent(); err != nil {
			t.Error(err)
		}
	}

	for _, one := range others {
		one.sawAllUncut(t, known)
	}
}

// flood is one websocket that begins subscriptions and ends them at once.
type flood struct {
	line             *line
	operation, after string
	// answers are how many messages of each type or code came.
	answers map[string]int
}

// pour begins and ends so many, and reads until nothing comes of them any more.
func (f *flood) pour(pairs int) error {
	written := make(chan error, 1)

	go func() { written <- f.write(pairs) }()

	for {
		got, err := f.line.next()
		if err != nil {
			return err
		}

		switch got.Type {
		case "pong":
			return <-written
		case "error":
			var errs []*refusal
			if err := json.Unmarshal(got.Payload, &errs); err != nil || len(errs) == 0 || errs[0].Extensions.Code != codeRateLimited {
				return fmt.Errorf("a subscription of the flood was answered with %s", got.Payload)
			}

			f.answers[codeRateLimited]++
		default:
			f.answers[got.Type]++
		}
	}
}

// openAtOnce is how many subscriptions of a flood there are at once, most of which are answered before they are ended.
const openAtOnce = 300

func (f *flood) write(pairs int) error {
	id := func(i int) string { return fmt.Sprintf("pair %d", i) }

	for i := range pairs + openAtOnce {
		if i < pairs {
			if err := f.line.subscribe(id(i), f.operation, f.after); err != nil {
				return err
			}
		}

		if i >= openAtOnce {
			if err := f.line.write(frame{ID: id(i - openAtOnce), Type: "complete"}); err != nil {
				return err
			}
		}
	}

	return f.line.write(frame{Type: "ping"})
}

// isSilent subscribes once more on the same websocket, and gets a change for that and for nothing else.
func (f *flood) isSilent() error {
	const id = "after the flood"

	for {
		if err := f.line.subscribe(id, f.operation, f.after); err != nil {
			return err
		}

		got, err := f.line.next()

		switch {
		case err != nil:
			return err
		case got.ID != id:
			return fmt.Errorf("after all were ended came %+v", got)
		case got.Type == "next":
			return nil
		case got.Type != "error":
			return fmt.Errorf("came %+v", got)
		}
		// It may take a moment until the token has operations again.
	}
}
