package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// client is a websocket as a test uses it.
type client struct {
	*websocket.Conn

	t *testing.T
}

// message is one of the protocol's.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

func dial(t *testing.T, hub *testHub, header http.Header) *client {
	t.Helper()

	return dialWith(t, hub, header, "graphql-transport-ws")
}

func dialWith(t *testing.T, hub *testHub, header http.Header, subprotocols ...string) *client {
	t.Helper()

	dialer := websocket.Dialer{Subprotocols: subprotocols}

	//nolint:bodyclose // the websocket has taken it over
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(hub.URL, "http")+"/graphql", header)
	if err != nil {
		t.Fatalf("no websocket: %v", err)
	}

	t.Cleanup(func() { _ = conn.Close() })

	if response.Header.Get(requestIDHeader) == "" {
		t.Error("the handshake bears no request id")
	}

	return &client{Conn: conn, t: t}
}

func (c *client) send(text string) {
	c.t.Helper()

	if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// receive gives the next message that is no ping; it answers those.
func (c *client) receive() message {
	c.t.Helper()

	for {
		var got message
		if err := c.ReadJSON(&got); err != nil {
			c.t.Fatalf("no message: %v", err)
		}

		if got.Type != "ping" {
			return got
		}

		c.send(`{"type": "pong"}`)
	}
}

// closing gives the code and the reason with which the hub closes.
func (c *client) closing() (int, string) {
	c.t.Helper()

	for {
		_, text, err := c.ReadMessage()

		var closed *websocket.CloseError

		switch {
		case errors.As(err, &closed):
			return closed.Code, closed.Text
		case err != nil:
			c.t.Fatalf("the connection was cut: %v", err)
		default:
			c.t.Logf("before the close: %s", text)
		}
	}
}

// initWith is a connection_init with that JSON for its authorization.
func initWith(authorization string) string {
	return `{"type": "connection_init", "payload": {"authorization": ` + authorization + `}}`
}

// login logs in by the payload and waits until it is accepted.
func (c *client) login(token string) {
	c.t.Helper()
	c.send(initWith(`"Bearer ` + token + `"`))

	if got := c.receive(); got.Type != "connection_ack" {
		c.t.Fatalf("got %s: %s", got.Type, got.Payload)
	}
}

// watched starts a hub whose queueChanged gives what is sent to the channel, and tells when it ends.
func watched(t *testing.T, changes <-chan *graph.QueueChange, ended chan<- struct{}) *testHub {
	t.Helper()

	return startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Goodbye = 200 * time.Millisecond
		setup.Answers.QueueChanged = func(ctx context.Context) (<-chan *graph.QueueChange, error) {
			out := make(chan *graph.QueueChange)

			go func() {
				defer close(out)
				defer func() { ended <- struct{}{} }()

				for {
					select {
					case change, more := <-changes:
						if !more {
							return
						}

						select {
						case out <- change:
						case <-ctx.Done():
							return
						}
					case <-ctx.Done():
						return
					}
				}
			}()

			return out, nil
		}
	})
}

const subscribe = `{"id": "1", "type": "subscribe", "payload": {"query": "subscription { queueChanged { at } }"}}`

func TestAWebsocketLogsInByItsPayload(t *testing.T) {
	changes, ended := make(chan *graph.QueueChange, 2), make(chan struct{}, 1)
	hub := watched(t, changes, ended)

	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(subscribe)

	for day := 1; day <= 2; day++ {
		changes <- &graph.QueueChange{At: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)}

		got := socket.receive()
		if got.Type != "next" || got.ID != "1" || !strings.Contains(string(got.Payload), "2026-01-0"+string(rune('0'+day))) {
			t.Fatalf("got %+v, %s", got, got.Payload)
		}
	}

	socket.send(`{"id": "1", "type": "complete"}`)
	<-ended
}

func TestAWebsocketLogsInByTheHeaderOfItsUpgrade(t *testing.T) {
	hub := startHub(t, nil)

	for name, init := range map[string]string{
		"without a payload": `{"type": "connection_init"}`, "with another payload": `{"type": "connection_init", "payload": {"a": 1}}`,
	} {
		socket := dial(t, hub, http.Header{"Authorization": {"Bearer " + hub.Operator}})
		socket.send(init)

		if got := socket.receive(); got.Type != "connection_ack" {
			t.Fatalf("%s: got %s", name, got.Type)
		}

		socket.send(`{"id": "1", "type": "subscribe", "payload": {"query": "{ viewer { name } }"}}`)

		if got := socket.receive(); got.Type != "next" || string(got.Payload) != `{"data":{"viewer":{"name":"operator"}}}` {
			t.Errorf("%s: got %s, %s", name, got.Type, got.Payload)
		}
	}
}

func TestAWebsocketsRefusedLoginIsClosedWithItsReason(t *testing.T) {
	const askedToLogIn = `log in: send a token of the hub as "Authorization: Bearer hub_..."`

	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Init = 100 * time.Millisecond })

	for name, tried := range map[string]struct {
		init   string
		code   int
		reason string
	}{
		"no token":         {`{"type": "connection_init"}`, 4403, askedToLogIn},
		"no token's form":  {initWith(`"secret"`), 4403, askedToLogIn},
		"no text":          {initWith("5"), 4403, askedToLogIn},
		"an unknown token": {initWith(`"Bearer ` + access.NewToken() + `"`), 4403, "this token is not known to the hub"},
		"a revoked token": {
			initWith(`"Bearer ` + hub.Tokens.Refused(access.ErrRevoked) + `"`),
			4403, "this token has been revoked; have a new one made",
		},
		"the database away": {
			initWith(`"Bearer ` + hub.Tokens.Refused(queue.Away(errors.New("refused"))) + `"`),
			1013, "the database is away; try again",
		},
		"nothing in time": {`{"type": "ping"}`, 4408, "Connection initialisation timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, hub, nil)
			socket.send(tried.init)

			if code, reason := socket.closing(); code != tried.code || reason != tried.reason {
				t.Errorf("got %d, %q", code, reason)
			}
		})
	}

	t.Run("silence", func(t *testing.T) {
		if code, reason := dial(t, hub, nil).closing(); code != 4408 || reason != "Connection initialisation timeout" {
			t.Errorf("got %d, %q", code, reason)
		}
	})
}

func TestAPageOfAnotherOriginLogsInByThePayloadAlone(t *testing.T) {
	hub := startHub(t, nil)
	foreign := http.Header{"Origin": {"https://elsewhere.example"}, "Authorization": {"Bearer " + hub.Operator}}

	socket := dial(t, hub, foreign)
	socket.send(`{"type": "connection_init"}`)

	if code, _ := socket.closing(); code != 4403 {
		t.Errorf("what came along by itself logged it in: %d", code)
	}

	dial(t, hub, foreign).login(hub.Operator)

	own := dial(t, hub, http.Header{"Origin": {hub.URL}, "Authorization": {"Bearer " + hub.Operator}})
	own.send(`{"type": "connection_init"}`)

	if got := own.receive(); got.Type != "connection_ack" {
		t.Errorf("a page of the hub's own: %s", got.Type)
	}
}

func TestAnotherSubprotocolIsNotAcceptable(t *testing.T) {
	hub := startHub(t, nil)

	for name, offered := range map[string][]string{"none": nil, "the older one": {"graphql-ws"}} {
		socket := dialWith(t, hub, http.Header{"Authorization": {"Bearer " + hub.Operator}}, offered...)
		if code, _ := socket.closing(); code != 4406 {
			t.Errorf("%s: %d", name, code)
		}
	}

	socket := dialWith(t, hub, nil, "graphql-ws", "graphql-transport-ws")
	if socket.Subprotocol() != "graphql-transport-ws" {
		t.Errorf("of both, %s was taken", socket.Subprotocol())
	}
}

func TestARefusedOperationIsAnErrorOfTheProtocol(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Login.OperationBurst = 7; setup.Login.OperationsPerSecond = 0.001 })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)

	for _, refused := range []struct{ payload, code string }{
		{`{"query": "{"}`, "BAD_REQUEST"},
		{`{"query": "{ nope }"}`, "BAD_REQUEST"},
		{`{"query": "query($n: Int!) { commands(first: $n) { totalCount } }", "variables": {"n": "5"}}`, "BAD_REQUEST"},
		{`{"query": "{ ` + strings.Repeat(" __typename", 51) + ` }"}`, "TOO_COMPLEX"},
	} {
		socket.send(`{"id": "1", "type": "subscribe", "payload": ` + refused.payload + `}`)

		got := socket.receive()

		var problems []replyError
		if err := json.Unmarshal(got.Payload, &problems); got.Type != "error" || err != nil || len(problems) != 1 {
			t.Fatalf("%s: got %s, %s", refused.payload, got.Type, got.Payload)
		}

		if problems[0].Extensions["code"] != refused.code || problems[0].Extensions["status"] != 400.0 {
			t.Errorf("%s: got %s", refused.payload, got.Payload)
		}
	}

	// The others of the seven, and one more.
	for n := range 4 {
		socket.send(`{"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}}`)

		got, want := socket.receive(), "next"
		if n == 3 {
			want = "error"
		}

		if got.Type != want || n == 3 && !strings.Contains(string(got.Payload), `"RATE_LIMITED"`) {
			t.Fatalf("operation %d: got %s, %s", n, got.Type, got.Payload)
		}

		if want == "next" {
			socket.receive() // complete
		}
	}
}

func TestASubscriptionOfAnotherRolesIsForbidden(t *testing.T) {
	hub := startHub(t, nil)
	socket := dial(t, hub, nil)
	socket.login(hub.Agent)
	socket.send(subscribe)

	if got := socket.receive(); !strings.Contains(string(got.Payload), `"code":"FORBIDDEN"`) {
		t.Errorf("got %s, %s", got.Type, got.Payload)
	}
}

func TestAMessageBeyondTheLimitClosesTheWebsocket(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.BodyLimit = 10 << 10 })
	socket := dial(t, hub, nil)
	socket.login(hub.Operator)
	socket.send(`{"id": "1", "type": "subscribe", "payload": {"query": "{ __typename } #` + strings.Repeat("x", 1<<10) + `"}}`)

	if code, _ := socket.closing(); code != websocket.CloseMessageTooBig {
		t.Errorf("got %d", code)
	}
}

func TestAClientThatAnswersNoPingIsGivenUp(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Ping = 20 * time.Millisecond })

	silent := dial(t, hub, http.Header{"Authorization": {"Bearer " + hub.Operator}})
	silent.send(`{"type": "connection_init"}`)

	pinged := false

	for {
		var got message
		if err := silent.ReadJSON(&got); err != nil {
			break // cut, which needs no subscription to have begun in so short a time
		}

		pinged = pinged || got.Type == "ping"
	}

	if !pinged {
		t.Error("it was cut off without a ping")
	}
}

func TestAClientThatGoesAwayEndsItsSubscriptions(t *testing.T) {
	changes, ended := make(chan *graph.QueueChange, 1), make(chan struct{}, 1)
	hub := watched(t, changes, ended)

	for name, leave := range map[string]func(*client){
		"with a goodbye": func(c *client) {
			_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
		},
		"without": func(c *client) { _ = c.NetConn().Close() },
	} {
		socket := dial(t, hub, nil)
		socket.login(hub.Operator)
		socket.send(subscribe)

		changes <- &graph.QueueChange{}

		if got := socket.receive(); got.Type != "next" {
			t.Fatalf("%s: got %s", name, got.Type)
		}

		leave(socket)
		<-ended
	}
}
