package sse_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/live/sse"
)

var twelve = sse.Stream{KeepAlive: 12 * time.Second, Write: 5 * time.Second} //nolint:gochecknoglobals // only read

// serve serves what comes through the channel; the events end when it is closed.
func serve(ctx context.Context, out *recorder, stream sse.Stream, events <-chan *sse.Event) error {
	err := stream.Serve(ctx, out, func(ctx context.Context) *sse.Event {
		select {
		case event := <-events:
			return event
		case <-ctx.Done():
			return nil
		}
	})
	out.returned.Store(true)

	return err
}

func TestAnswersAreNextEventsAndCompleteFollowsTheLast(t *testing.T) {
	out, events := newRecorder(t), make(chan *sse.Event, 3)
	events <- &sse.Event{ID: "AAE", Data: []byte(`{"data":{"a":1}}`)}
	events <- &sse.Event{Data: []byte("{\n  \"data\": {\"text\": \"a\\nb\"}\r\n}")}
	close(events)

	if err := serve(t.Context(), out, twelve, events); err != nil {
		t.Fatal(err)
	}

	want := "event: next\nid: AAE\ndata: {\"data\":{\"a\":1}}\n\n" +
		"event: next\ndata: {   \"data\": {\"text\": \"a\\nb\"}  }\n\n" +
		"event: complete\ndata:\n\n"
	if got := out.Seen(); got != want {
		t.Errorf("got\n%s", got)
	}

	for name, value := range map[string]string{
		"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
	} {
		if got := out.header.Get(name); got != value {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestACommentComesWheneverNothingElseDidForSoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		out, events := newRecorder(t), make(chan *sse.Event)
		ended := make(chan error)

		go func() { ended <- serve(ctx, out, twelve, events) }()

		time.Sleep(11 * time.Second) //nolint:forbidigo // the bubble's clock
		events <- &sse.Event{Data: []byte(`{}`)}

		time.Sleep(11 * time.Second) //nolint:forbidigo // likewise
		synctest.Wait()

		const next = "event: next\ndata: {}\n\n"
		if got := out.Seen(); got != next {
			t.Errorf("after 11 s of silence: %q", got)
		}

		time.Sleep(2*twelve.KeepAlive - 10*time.Second) //nolint:forbidigo // likewise
		synctest.Wait()

		if got := out.Seen(); got != next+":\n\n:\n\n" {
			t.Errorf("after 25 s of silence: %q", got)
		}

		stop()

		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestWhatIsCutOffIsNotComplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		out, events := newRecorder(t), make(chan *sse.Event)
		ended := make(chan error)

		go func() { ended <- serve(ctx, out, twelve, events) }()

		events <- &sse.Event{Data: []byte(`{}`)}
		synctest.Wait()
		stop()

		if err := <-ended; err != nil || strings.Contains(out.Seen(), "complete") {
			t.Errorf("got %v, %q", err, out.Seen())
		}
	})
}

func TestAReaderWhoIsGoneEndsTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, events := newRecorder(t), make(chan *sse.Event)
		ended := make(chan error)

		go func() { ended <- serve(t.Context(), out, twelve, events) }()

		out.Leave()

		start := time.Now()

		// The next comment notices.
		if err := <-ended; err != nil || time.Since(start) != twelve.KeepAlive {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}

func TestEachMessageHasItsTimeAndSilenceHasNoEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		out, events := newRecorder(t), make(chan *sse.Event)
		ended := make(chan error)

		go func() { ended <- serve(ctx, out, twelve, events) }()

		for range 3 {
			time.Sleep(time.Hour) //nolint:forbidigo // the bubble's clock
			events <- &sse.Event{Data: []byte(`{}`)}
			synctest.Wait()

			if deadline := out.Deadline(); !deadline.IsZero() {
				t.Errorf("while nothing is written there is a deadline in %s", time.Until(deadline))
			}
		}

		stop()

		if err := <-ended; err != nil {
			t.Error(err)
		}

		for _, left := range out.late {
			if left != twelve.Write {
				t.Errorf("a message had %s", left)
			}
		}

		if left := time.Until(out.Deadline()); left != twelve.Write {
			t.Errorf("what net/http writes at the end had %s", left)
		}
	})
}

// The two ways in which gqlgen's own transport ends the process: its comments come from a goroutine beside, and after the
// handler has returned a flush meets nil in HTTP/1.1, and a write panics in HTTP/2. What crashes there is a used response
// here; the server's tests do the same over both protocols.
func TestNobodyElseTouchesTheResponse(t *testing.T) {
	hasty := sse.Stream{KeepAlive: time.Nanosecond, Write: time.Minute}

	for range 200 {
		out, events := newRecorder(t), make(chan *sse.Event, 3)
		events <- &sse.Event{Data: []byte(`{}`)}
		events <- &sse.Event{Data: []byte(`{}`)}
		close(events)

		if err := serve(t.Context(), out, hasty, events); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAResponseThatCannotStreamIsLeftAsItIs(t *testing.T) {
	out := newRecorder(t)
	called := false

	err := twelve.Serve(t.Context(), struct{ http.ResponseWriter }{out}, func(context.Context) *sse.Event {
		called = true

		return nil
	})
	if !errors.Is(err, http.ErrNotSupported) || called || out.text.Len() > 0 {
		t.Errorf("got %v, %t, %q", err, called, out.text.String())
	}
}
