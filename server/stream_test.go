package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

const streamType = "text/event-stream"

// sseHub starts a hub whose queueChanged gives what is sent to the channel, and says when it has ended.
func sseHub(t *testing.T, change func(*hubSetup)) (hub *testHub, changes chan *graph.QueueChange, ended chan struct{}) {
	t.Helper()

	changes, ended = make(chan *graph.QueueChange), make(chan struct{}, 1)

	hub = startHub(t, func(setup *hubSetup) {
		setup.Answers.QueueChanged = func(ctx context.Context) (<-chan *graph.QueueChange, error) {
			context.AfterFunc(ctx, func() { ended <- struct{}{} })

			return changes, nil
		}

		if change != nil {
			change(setup)
		}
	})

	return hub, changes, ended
}

// eventStream is a response that goes on.
type eventStream struct {
	*http.Response

	lines *bufio.Reader
	t     *testing.T
}

// stream asks for an operation as a stream of events.
func (h *testHub) stream(t *testing.T, method, query string) *eventStream {
	t.Helper()

	path, body := "/graphql", quoted(query)
	if method == http.MethodGet {
		path, body = "/graphql?"+url.Values{"query": {query}}.Encode(), ""
	}

	request, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}

	request.Header = headers(h, streamType)

	response, err := h.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { _ = response.Body.Close() })

	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != streamType+"; charset=utf-8" {
		t.Fatalf("got %d, %s", response.StatusCode, got)
	}

	return &eventStream{Response: response, lines: bufio.NewReader(response.Body), t: t}
}

// event gives the lines of the next event that is no comment, and "" at the end.
func (s *eventStream) event() string {
	s.t.Helper()

	var event strings.Builder

	for {
		line, err := s.lines.ReadString('\n')

		switch {
		case errors.Is(err, io.EOF) && line == "":
			return event.String()
		case err != nil:
			s.t.Fatalf("the stream was cut after %q: %v", event.String(), err)
		case line == "\n" && event.Len() > 0:
			return event.String()
		case line != "\n" && !strings.HasPrefix(line, ":"):
			event.WriteString(line)
		}
	}
}

// next is a next event without an id.
func next(data string) string { return "event: next\ndata: " + data + "\n" }

const completed = "event: complete\ndata:\n"

func (s *eventStream) wants(events ...string) {
	s.t.Helper()

	for _, want := range events {
		if got := s.event(); got != want {
			s.t.Fatalf("got %q instead of %q", got, want)
		}
	}
}

func TestASubscriptionIsAStreamOfEvents(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		t.Run(method, func(t *testing.T) {
			hub, changes, _ := sseHub(t, nil)
			stream := hub.stream(t, method, "subscription { queueChanged { cursor } }")

			for seq := range int64(3) {
				cursor := queue.Cursor{Seq: seq}
				changes <- &graph.QueueChange{Cursor: cursor}
				stream.wants(next(`{"data":{"queueChanged":{"cursor":"` + cursor.String() + `"}}}`))
			}

			close(changes)
			stream.wants(completed, "")

			if stream.Header.Get("Cache-Control") != "no-store" || stream.Header.Get("X-Accel-Buffering") != "no" {
				t.Errorf("a proxy may keep it: %v", stream.Header)
			}
		})
	}
}

func TestQueriesAndMutationsAreOneEvent(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(context.Context, string) error { return queue.Refusef(queue.Conflict, "it has ended") }
	})

	hub.stream(t, http.MethodGet, "{ viewer { name } }").wants(next(`{"data":{"viewer":{"name":"operator"}}}`), completed, "")
	hub.stream(t, http.MethodPost, "mutation { setNote(key: \"A-1\", text: \"b\") { text } }").
		wants(next(`{"data":{"setNote":{"text":"b"}}}`), completed, "")

	refused := hub.stream(t, http.MethodPost, "mutation { holdBatch(id: 1) { id } }")
	if event := refused.event(); !strings.Contains(event, `"CONFLICT"`) || !strings.Contains(event, `"data":{"holdBatch":null}`) {
		t.Errorf("got %s", event)
	}

	refused.wants(completed, "")
}

func TestWhatIsWrongWithAnOperationIsTheOneEventOfItsStream(t *testing.T) {
	hub, _, _ := sseHub(t, nil)

	for query, code := range map[string]string{
		"{":                                "BAD_REQUEST",
		"subscription { nope { cursor } }": "BAD_REQUEST",
		"query($n: Int!) { x: __type(name: \"X\")":                               "BAD_REQUEST",
		"{" + strings.Repeat(" __typename", 51) + "}":                            "TOO_COMPLEX",
		"subscription { a: queueChanged { cursor } b: queueChanged { cursor } }": "BAD_REQUEST",
	} {
		stream := hub.stream(t, http.MethodPost, query)
		if event := stream.event(); !strings.Contains(event, `"code":"`+code+`"`) || strings.Contains(event, `"data":`) {
			t.Errorf("%s: got %s", query, event)
		}

		stream.wants(completed, "")
	}
}

func TestALastEventIDThatIsNoCursorIsRefused(t *testing.T) {
	hub, _, _ := sseHub(t, nil)
	header := headers(hub, streamType)
	header.Set("Last-Event-ID", "no cursor")

	answer := hub.Do(t, http.MethodPost, "/graphql", quoted("subscription { queueChanged { cursor } }"), header)
	if answer.Status != http.StatusOK || !strings.Contains(answer.Body, "UNPROCESSABLE") || !strings.HasSuffix(answer.Body, completed+"\n") {
		t.Errorf("got %d: %s", answer.Status, answer.Body)
	}
}

func TestAStreamThatIsNotToBeginIsRefusedByItsStatus(t *testing.T) {
	hub, _, _ := sseHub(t, func(setup *hubSetup) { setup.Config.BodyLimit = 1000 })
	ended := hub.Tokens.Refused(access.ErrRevoked)

	for name, asked := range map[string]struct {
		method, path, body, token string
		change                    func(http.Header)
		status                    int
		code                      string
	}{
		"without a valid token": {method: "POST", token: ended, body: quoted("{ viewer { name } }"), status: 401, code: "UNAUTHENTICATED"},
		"a mutation by GET": {
			method: "GET", path: "?" + url.Values{"query": {"mutation { resumeQueue { paused } }"}}.Encode(),
			status: 405, code: "BAD_REQUEST",
		},
		"by another method":     {method: "PUT", status: 405, code: "BAD_REQUEST"},
		"no JSON":               {method: "POST", body: "{", status: 400, code: "BAD_REQUEST"},
		"without a document":    {method: "GET", status: 400, code: "BAD_REQUEST"},
		"too large":             {method: "POST", body: quoted("{ viewer { name } }" + strings.Repeat(" ", 1000)), status: 413, code: "TOO_LARGE"},
		"another type of body":  {method: "POST", body: "{}", change: func(h http.Header) { h.Set("Content-Type", "text/plain") }, status: 415, code: "BAD_REQUEST"},
		"a stream not accepted": {method: "POST", body: quoted("subscription { queueChanged { cursor } }"), change: func(h http.Header) { h.Set("Accept", "text/event-stream;q=0.5, application/json") }, status: 400, code: "BAD_REQUEST"},
	} {
		t.Run(name, func(t *testing.T) {
			header := headers(hub, streamType)
			if asked.token != "" {
				header.Set("Authorization", "Bearer "+asked.token)
			}

			if asked.change != nil {
				asked.change(header)
			}

			answer := hub.Do(t, asked.method, "/graphql"+asked.path, asked.body, header)
			if answer.Status != asked.status || answer.Code() != asked.code || answer.Header.Get("Content-Type") != jsonType {
				t.Errorf("got %d, %s: %s", answer.Status, answer.Header.Get("Content-Type"), answer.Body)
			}
		})
	}
}

func TestAnEndedTokensStreamEndsWithinFiveSecondsAndIsNotComplete(t *testing.T) {
	hub, changes, ended := sseHub(t, nil) // with the times that hold outside of tests
	stream := hub.stream(t, http.MethodPost, "subscription { queueChanged { cursor } }")

	changes <- &graph.QueueChange{}

	stream.event()
	hub.Tokens.End(hub.Operator, access.ErrRevoked)

	start := time.Now()

	stream.wants("")

	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it went on for %s", took)
	}

	<-ended
}

func TestATokenThatCannotBeLookedUpEndsNoStream(t *testing.T) {
	asked := make(chan struct{})
	hub, changes, _ := sseHub(t, func(setup *hubSetup) { setup.Config.Times.Login = time.Millisecond })
	stream := hub.stream(t, http.MethodPost, "subscription { queueChanged { at } }")

	hub.Tokens.Away(func(ctx context.Context) error {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
		}

		return errors.New("no route")
	})

	for range 3 {
		<-asked
	}

	changes <- &graph.QueueChange{}

	stream.wants(next(`{"data":{"queueChanged":{"at":"0001-01-01T00:00:00.000000Z"}}}`))
}

func TestTheHubsEndEndsStreamsAtOnceAndDoesNotCompleteThem(t *testing.T) {
	hub, changes, ended := sseHub(t, nil)
	stream := hub.stream(t, http.MethodPost, "subscription { queueChanged { cursor } }")

	changes <- &graph.QueueChange{}

	stream.event()

	start := time.Now()

	hub.Ask()
	stream.wants("")
	<-ended
	within(t, hub.Ended())

	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestTheHubsEndLetsAMutationInAStreamFinish(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	hub := startHub(t, func(setup *hubSetup) {
		setup.Answers.HoldBatch = func(context.Context, string) error {
			close(began)
			<-finish

			return nil
		}
	})
	stream := hub.stream(t, http.MethodPost, "mutation { holdBatch(id: 1) { id } }")

	<-began
	hub.Ask()
	refusedSoon(t, hub)
	close(finish)
	stream.wants(next(`{"data":{"holdBatch":null}}`), completed, "")
	within(t, hub.Ended())
}

func TestAReaderWhoGoesAwayEndsItsSubscription(t *testing.T) {
	hub, changes, ended := sseHub(t, nil)
	stream := hub.stream(t, http.MethodPost, "subscription { queueChanged { cursor } }")

	changes <- &graph.QueueChange{} // the response begins before its subscription does, which takes this

	_ = stream.Body.Close()

	<-ended
}

func TestAReaderWhoTakesNothingIsLetGo(t *testing.T) {
	hub, changes, ended := sseHub(t, func(setup *hubSetup) { setup.Config.Times.Write = 50 * time.Millisecond })
	address := strings.TrimPrefix(hub.URL, "http://")

	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()

	body := quoted("subscription { queueChanged { queue { pace { pausedReason } } } }")
	if _, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", address, hub.Operator, streamType, len(body), body); err != nil {
		t.Fatal(err)
	}

	long := strings.Repeat("x", 1<<20)
	change := &graph.QueueChange{Queue: &graph.Queue{Pace: &queue.Pace{PausedReason: &long}}}

	for {
		select {
		case changes <- change:
		case <-ended:
			return
		}
	}
}

func TestAStreamOutlivesTheTimeOfARequestsBody(t *testing.T) {
	hub, changes, _ := sseHub(t, func(setup *hubSetup) {
		setup.Config.Times.Body = 100 * time.Millisecond
		setup.Config.Times.KeepAlive = 50 * time.Millisecond
	})
	stream := hub.stream(t, http.MethodPost, "subscription { queueChanged { at } }")

	for range 6 { // comments, each after its time
		if line, err := stream.lines.ReadString('\n'); err != nil || line != ":\n" && line != "\n" {
			t.Fatalf("got %q, %v", line, err)
		}
	}

	changes <- &graph.QueueChange{}

	stream.wants(next(`{"data":{"queueChanged":{"at":"0001-01-01T00:00:00.000000Z"}}}`))
}

// What gqlgen's own transport dies of, within 200 requests: a comment written after the last answer, which meets nil in
// HTTP/1.1 and panics in HTTP/2.
func TestTheHubSurvivesCommentsAtEveryMoment(t *testing.T) {
	exposure, trusted := certified(t)

	for name, secure := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			hub := startHub(t, func(setup *hubSetup) {
				setup.Config.Times.KeepAlive = time.Microsecond

				if secure {
					setup.Config.Exposure, setup.Trusted = exposure, trusted
				}
			})

			for range 200 {
				stream := hub.stream(t, http.MethodPost, "{ viewer { name } }")
				stream.wants(next(`{"data":{"viewer":{"name":"operator"}}}`), completed, "")

				if secure != (stream.ProtoMajor == 2) {
					t.Fatalf("it speaks %s", stream.Proto)
				}
			}
		})
	}
}

func TestAPanicIsTheLastEventOfItsStream(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) {
		setup.Config.Extensions = append(setup.Config.Extensions, panicking{})
	})
	stream := hub.stream(t, http.MethodPost, "{ viewer { name } }")

	if event := stream.event(); !strings.Contains(event, `"code":"INTERNAL"`) || strings.Contains(event, "thrown") {
		t.Errorf("got %s", event)
	}

	stream.wants(completed, "")

	if len(hub.Log.Lines("thrown by an extension")) != 1 {
		t.Errorf("the log says %s", hub.Log)
	}
}

func TestAResponseThatCannotBeFlushedIsAnsweredOtherwise(t *testing.T) {
	handler, token := idleHandler(t)
	request, recorded := streamRequest(t, token), newPlainWriter()

	handler.ServeHTTP(recorded, request)

	if recorded.status != http.StatusInternalServerError || !strings.Contains(recorded.body.String(), `"INTERNAL"`) {
		t.Errorf("got %d: %s", recorded.status, &recorded.body)
	}
}
