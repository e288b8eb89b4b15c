package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// subscriber is one of the crowd. Whenever its connection ends it comes back, with the cursor that it read last, to
// either hub.
type subscriber struct {
	number int
	wish   *wish
	// hubs are the addresses, token its login.
	hubs  []string
	token string
	// streams is true of those who read server-sent events.
	streams bool
	// wanders is how many events it reads on average before it leaves by itself; 0: it never does.
	wanders int
	r       *rand.Rand
	// began is the position that it asks for first, "" where it asks for what is new.
	began string

	mu sync.Mutex
	// at is the position to come back with, "" for none.
	at   string
	seen sightings
	// pong is closed when the answer to the ping of ping came.
	pong chan struct{}
	ping func()
}

// newSubscriber begins after a position, or where that is "" with what is new.
func newSubscriber(number int, w *wish, hubs []string, token, after string) *subscriber {
	return &subscriber{
		number: number, wish: w, hubs: hubs, token: token, r: newRand(number), began: after, at: after,
		seen: sightings{ended: map[string]int{}},
	}
}

// sightings are what a subscriber has seen so far.
type sightings struct {
	record []sum
	// connected counts the connections that it got, ended what they ended with.
	connected int
	ended     map[string]int
	wrong     []string
}

// sightings are as of now.
func (s *subscriber) sightings() sightings {
	s.mu.Lock()
	defer s.mu.Unlock()

	now := s.seen
	now.record, now.wrong, now.ended = slices.Clip(now.record), slices.Clip(now.wrong), maps.Clone(now.ended)

	return now
}

// Who is turned away waits before the next try, longer each time, and each somewhat differently.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
)

// run reads until the context ends.
func (s *subscriber) run(ctx context.Context) {
	for pause := firstPause; ctx.Err() == nil; {
		before := s.count()

		err := s.read(ctx, s.hubs[s.r.IntN(len(s.hubs))])
		if ctx.Err() != nil {
			return
		}

		s.note(err)

		if s.count() > before {
			pause = firstPause
		}

		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + time.Duration(s.r.Int64N(int64(pause)))):
		}

		pause = min(2*pause, longestPause)
	}
}

func (s *subscriber) read(ctx context.Context, hub string) error {
	if s.streams {
		return s.readStream(ctx, hub)
	}

	return s.readSocket(ctx, hub)
}

// expectedEnd is how a connection may end. Any other end is wrong.
type expectedEnd string

func (e expectedEnd) Error() string { return string(e) }

const (
	leftByItself expectedEnd = "left by itself"
	endOfStream  expectedEnd = "a stream was cut"
)

func (s *subscriber) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if as, expected := errors.AsType[expectedEnd](err); expected {
		s.seen.ended[string(as)]++

		return
	}

	s.seen.wrong = append(s.seen.wrong, err.Error())
}

func (s *subscriber) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()

	return len(s.seen.record)
}

// has tells whether it has read all up to that position.
func (s *subscriber) has(upTo string, known *history) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	newest := len(s.seen.record) - 1

	return newest >= 0 && known.has(s.wish, s.seen.record[newest], upTo)
}

// position is where to go on.
func (s *subscriber) position() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.at
}

// answerOf is an answer of a subscription.
type answerOf struct {
	Data struct {
		Answer json.RawMessage `json:"answer"`
	} `json:"data"`
	Errors []*refusal `json:"errors"`
}

// take enters an answer into the record. It is an error where the reader wants no more.
func (s *subscriber) take(answer *answerOf) error {
	if len(answer.Errors) > 0 {
		return refusedEnd(answer.Errors)
	}

	var event struct {
		Cursor string `json:"cursor"`
	}

	if err := json.Unmarshal(answer.Data.Answer, &event); err != nil || event.Cursor == "" {
		return fmt.Errorf("an answer without a cursor: %.300s", answer.Data.Answer)
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	s.at = event.Cursor
	s.seen.record = append(s.seen.record, sumOf(answer.Data.Answer))

	if s.wanders > 0 && s.r.IntN(s.wanders) == 0 {
		return leftByItself
	}

	return nil
}

// refusedEnd is expected of a hub whose database is away, and of one that too many ask at once.
func refusedEnd(errs []*refusal) error {
	if len(errs) == 0 {
		return errors.New("an error without errors")
	}

	if code := errs[0].Extensions.Code; slices.Contains([]string{codeUnavailable, codeRateLimited}, code) {
		return expectedEnd(code)
	}

	return errs[0]
}

func (s *subscriber) isConnected() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.seen.connected++
}

// settle waits until everything that the hub had sent is read.
func (s *subscriber) settle(ctx context.Context) {
	s.mu.Lock()
	ping := s.ping
	pong := make(chan struct{})
	s.pong = pong
	s.mu.Unlock()

	if ping == nil {
		return
	}

	ping()

	select {
	case <-pong:
	case <-ctx.Done():
	}
}

// sawAll fails the test where its record is not what the log has.
func (s *subscriber) sawAll(t *testing.T, known *history) {
	t.Helper()

	seen := s.sightings()
	if err := known.compare(s.wish, s.began, seen.record); err != nil || len(seen.wrong) > 0 {
		t.Errorf("subscriber %d: %v %v", s.number, err, seen.wrong)
	}
}

// sawAllUncut is sawAll for one that nothing should have cut off.
func (s *subscriber) sawAllUncut(t *testing.T, known *history) {
	t.Helper()

	s.sawAll(t, known)

	if seen := s.sightings(); seen.connected != 1 {
		t.Errorf("subscriber %d had %d connections, ended by %v", s.number, seen.connected, seen.ended)
	}
}
