package group_test

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	state   = `subscription { queueChanged { cursor queue { cursor agents { name online } } } }`
	batches = `subscription { batchChanged { cursor batch { id counts { queued } } } }`
)

// shown is what an answer of either shows.
type shown struct {
	Data struct {
		QueueChanged struct {
			Cursor string
			Queue  struct{ Agents []struct{ Online bool } }
		}
		BatchChanged struct {
			Cursor string
			Batch  struct {
				ID     string
				Counts struct{ Queued int }
			}
		}
		CommandChanged struct{ Cursor string }
	}
}

func read(t *testing.T, answer string) shown {
	t.Helper()

	var got shown
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}

	return got
}

// seq is the number of a cursor.
func seq(t *testing.T, cursor string) int64 {
	t.Helper()

	got, err := queue.ParseCursor(cursor)
	if err != nil {
		t.Fatalf("%q: %v", cursor, err)
	}

	return got.Seq
}

func TestEachMemberOfAStateIsShownItAtOnceAndThenWithTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		var readers []*reader

		for n := range 20 {
			readers = append(readers, world.subscribe(state, nil, plenty))
			settle()

			if got := seq(t, read(t, readers[n].take()).Data.QueueChanged.Cursor); got != int64(n) {
				t.Fatalf("the first answer of reader %d is of position %d", n, got)
			}

			world.log.write(changed(1))
			settle()
		}

		world.executed.take()
		world.log.write(changed(1))
		settle()

		if executed := world.executed.take(); executed != 1 {
			t.Errorf("%d answers were made for one round", executed)
		}

		for n, reader := range readers {
			var seen []int64
			for _, answer := range reader.pending() {
				seen = append(seen, seq(t, read(t, answer).Data.QueueChanged.Cursor))
			}

			want := make([]int64, 0, 21)
			for position := int64(n) + 1; position <= 21; position++ {
				want = append(want, position)
			}

			if !slices.Equal(seen, want) {
				t.Errorf("reader %d was shown %v after %d", n, seen, n)
			}
		}
	})
}

func TestThoseWhoComeTogetherShareTheFirstAnswerOfAState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		world.subscribe(state, nil, plenty)
		settle()
		world.executed.take()

		var readers []*reader
		for range 1000 {
			readers = append(readers, world.subscribe(state, nil, plenty))
		}

		settle()

		if executed := world.executed.take(); executed > 20 {
			t.Errorf("%d answers were made for a thousand readers", executed)
		}

		for _, reader := range readers {
			if got := len(reader.pending()); got != 1 {
				t.Fatalf("a reader has %d answers", got)
			}
		}
	})
}

func TestAnAgentThatGoesSilentIsShownToEveryMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		world.log.set(func() { world.log.agents = []*queue.Agent{{Name: "robot", Online: true}} })

		var readers []*reader

		for range 30 {
			readers = append(readers, world.subscribe(state, nil, plenty))
			<-time.After(time.Second) // at all times of the quiet between two looks
		}

		world.log.set(func() { world.log.agents = []*queue.Agent{{Name: "robot", Online: false}} })
		<-time.After(time.Minute)

		for n, reader := range readers {
			answers := reader.pending()
			if last := read(t, answers[len(answers)-1]); last.Data.QueueChanged.Queue.Agents[0].Online {
				t.Errorf("reader %d was shown %v", n, answers)
			}

			if len(answers) != 2 {
				t.Errorf("reader %d was shown %d answers", n, len(answers))
			}
		}
	})
}

func TestASlowReaderOfBatchesIsShownTheNewestOfEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)
		fast := []*reader{world.subscribe(batches, nil, plenty), world.subscribe(batches, nil, plenty)}
		slow := world.subscribe(batches, nil, 2)
		settle()

		const kinds = 10

		for n := range 200 {
			// The last ones of each batch fall into the time in which the slow one reads nothing.
			world.log.write(changed(queue.BatchID(n%kinds + 1)))
			settle()
		}

		newest := func(answers []string) map[string]int {
			seen := make(map[string]int)

			for _, answer := range answers {
				batch := read(t, answer).Data.BatchChanged.Batch
				seen[batch.ID] = batch.Counts.Queued
			}

			return seen
		}

		var answers []string

		for len(answers) == 0 || len(newest(answers)) < kinds {
			answers = append(answers, slow.take())
		}

		settle()

		answers = append(answers, slow.pending()...)

		for _, seen := range append([][]string{answers}, fast[0].pending(), fast[1].pending()) {
			for batch, count := range newest(seen) {
				if count != 20 {
					t.Errorf("of batch %s the newest that was shown is %d of 20", batch, count)
				}
			}
		}

		if len(answers) > 50 {
			t.Errorf("the slow one was shown %d answers", len(answers))
		}
	})
}
