package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// exchange is what a client sends, each after the answers to the one before, and what it gets.
type exchange struct {
	sent string
	// got are the hub's messages, as type and id, or the code with which it closes.
	got []string
}

func say(sent string, got ...string) exchange { return exchange{sent, got} }

// sub is a subscribe with that id and query.
func sub(id, query string) string {
	return fmt.Sprintf(`{"id": %q, "type": "subscribe", "payload": {"query": %q}}`, id, query)
}

const (
	initiate = `{"type": "connection_init"}`
	ping     = `{"type": "ping"}`
)

// talk plays the exchanges and sees to it that nothing else comes: a pong at the end is the next thing to come.
func talk(t *testing.T, socket *client, exchanges ...exchange) {
	t.Helper()

	for _, exchange := range append(exchanges, say(ping, "pong")) {
		socket.send(exchange.sent)

		for _, want := range exchange.got {
			if code, isClose := strings.CutPrefix(want, "close "); isClose {
				if got, reason := socket.closing(); strconv.Itoa(got) != code {
					t.Fatalf("after %s: closed with %d, %q instead of %s", exchange.sent, got, reason, code)
				}

				return
			}

			got := socket.receive()
			if text := strings.TrimSpace(got.Type + " " + got.ID); text != want {
				t.Fatalf("after %s: got %q instead of %q: %s", exchange.sent, text, want, got.Payload)
			}
		}
	}
}

// streaming is a hub whose queueChanged sends that many changes at once, and then ends or stays open.
func streaming(t *testing.T, changes int, ends bool) *testHub {
	t.Helper()

	return startHub(t, func(setup *hubSetup) {
		setup.Config.Times.Goodbye = 200 * time.Millisecond
		setup.Answers.QueueChanged = func(context.Context) (<-chan *graph.QueueChange, error) {
			out := make(chan *graph.QueueChange, changes)
			for range changes {
				out <- &graph.QueueChange{}
			}

			if ends {
				close(out)
			}

			return out, nil
		}
		setup.Answers.Queue = func(context.Context) (*graph.Queue, error) {
			return nil, queue.Refusef(queue.Unprocessable, "not now")
		}
		setup.Answers.HoldBatch = func(context.Context, string) error { return nil }
	})
}

func TestTheHandshakeAgreesOnTheSubprotocol(t *testing.T) {
	hub := startHub(t, nil)
	login := http.Header{"Authorization": {"Bearer " + hub.Operator}}

	for name, offered := range map[string][]string{
		"alone": {"graphql-transport-ws"}, "preferred, offered last": {"graphql-ws", "graphql-transport-ws"},
		"preferred, offered first": {"graphql-transport-ws", "graphql-ws"},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dialWith(t, hub, login, offered...)
			if socket.Subprotocol() != "graphql-transport-ws" {
				t.Errorf("got %q", socket.Subprotocol())
			}

			talk(t, &client{socket.Conn, t}, say(initiate, "connection_ack"))
		})
	}

	for name, offered := range map[string][]string{"none": nil, "the older one": {"graphql-ws"}, "an unknown one": {"soap"}} {
		t.Run(name, func(t *testing.T) {
			if code, _ := dialWith(t, hub, login, offered...).closing(); code != 4406 {
				t.Errorf("closed with %d", code)
			}
		})
	}
}

func TestTheProtocolBeforeTheAck(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Goodbye = 200 * time.Millisecond })
	login := http.Header{"Authorization": {"Bearer " + hub.Operator}}

	for name, exchanges := range map[string][]exchange{
		"connection_init is acknowledged":                  {say(initiate, "connection_ack")},
		"connection_init may have a payload":               {say(`{"type": "connection_init", "payload": {"a": [1]}}`, "connection_ack")},
		"connection_init may have fields unheard of":       {say(`{"type": "connection_init", "id": 5, "x": null}`, "connection_ack")},
		"a second connection_init is 4429":                 {say(initiate, "connection_ack"), say(initiate, "close 4429")},
		"a payload of connection_init as text is 4400":     {say(`{"type": "connection_init", "payload": "a"}`, "close 4400")},
		"a payload of connection_init as list is 4400":     {say(`{"type": "connection_init", "payload": []}`, "close 4400")},
		"a payload of connection_init as number is 4400":   {say(`{"type": "connection_init", "payload": 1}`, "close 4400")},
		"a payload of connection_init as null is 4400":     {say(`{"type": "connection_init", "payload": null}`, "close 4400")},
		"subscribe before connection_init is 4401":         {say(sub("1", "{ __typename }"), "close 4401")},
		"complete before connection_init is passed over":   {say(`{"type": "complete", "id": "1"}`), say(initiate, "connection_ack")},
		"ping before the ack is answered":                  {say(ping, "pong"), say(initiate, "connection_ack")},
		"pong before the ack is passed over":               {say(`{"type": "pong"}`), say(initiate, "connection_ack")},
		"an unknown type before the ack is 4400":           {say(`{"type": "start"}`, "close 4400")},
		"what is no JSON before the ack is 4400":           {say(`hello`, "close 4400")},
		"a wrong subscribe before the ack is 4400 already": {say(`{"type": "subscribe"}`, "close 4400")},
	} {
		t.Run(name, func(t *testing.T) { talk(t, dial(t, hub, login).of(t), exchanges...) })
	}
}

// of is the client in a test within the one that it was made in.
func (c *client) of(t *testing.T) *client { t.Helper(); return &client{c.Conn, t} } //nolint:nlreturn // a word

// slowLogin is a hub at which each look at a token waits for the channel.
func slowLogin(t *testing.T, change func(*hubSetup)) (hub *testHub, proceed chan struct{}) {
	t.Helper()

	hub, proceed = startHub(t, change), make(chan struct{})

	hub.Tokens.Away(func(ctx context.Context) error {
		select {
		case <-proceed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	t.Cleanup(func() { close(proceed) })

	return hub, proceed
}

func TestTheProtocolWhileTheLoginIsLookedAt(t *testing.T) {
	for name, exchanges := range map[string][]exchange{
		"a second connection_init is 4429": {say(initiate, "close 4429")},
		"subscribe is 4401":                {say(sub("1", "{ __typename }"), "close 4401")},
		"ping is answered":                 {say(ping, "pong")},
	} {
		t.Run(name, func(t *testing.T) {
			hub, _ := slowLogin(t, func(setup *hubSetup) { setup.Config.Times.Goodbye = 200 * time.Millisecond })
			socket := dial(t, hub, nil)
			socket.send(initWith(`"Bearer ` + hub.Operator + `"`))
			talk(t, socket, exchanges...)
		})
	}

	t.Run("the time for connection_init is over once that has come", func(t *testing.T) {
		hub, proceed := slowLogin(t, func(setup *hubSetup) { setup.Config.Times.Init = 50 * time.Millisecond })
		socket := dial(t, hub, nil)
		socket.send(initWith(`"Bearer ` + hub.Operator + `"`))

		late := time.NewTimer(100 * time.Millisecond)
		<-late.C
		proceed <- struct{}{}

		if got := socket.receive(); got.Type != "connection_ack" {
			t.Errorf("got %s", got.Type)
		}
	})
}

func TestPingAndPongAfterTheAck(t *testing.T) {
	hub := streaming(t, 0, false)

	for name, exchanges := range map[string][]exchange{
		"ping is answered":                  {say(ping, "pong")},
		"ping without a payload's object":   {say(`{"type": "ping", "payload": "x"}`, "close 4400")},
		"pong that nobody asked for":        {say(`{"type": "pong"}`)},
		"pong with a payload":               {say(`{"type": "pong", "payload": {"a": 1}}`)},
		"pong without its payload's object": {say(`{"type": "pong", "payload": [1]}`, "close 4400")},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, hub, nil)
			socket.login(hub.Operator)
			talk(t, socket.of(t), exchanges...)
		})
	}

	t.Run("a payload comes back", func(t *testing.T) {
		socket := dial(t, hub, nil)
		socket.send(`{"type": "ping", "payload": {"a": "b"}}`)

		if got := socket.receive(); got.Type != "pong" || string(got.Payload) != `{"a": "b"}` {
			t.Errorf("got %s, %s", got.Type, got.Payload)
		}
	})

	t.Run("the websocket's own ping", func(t *testing.T) {
		socket := dial(t, hub, nil)

		var answered string

		socket.SetPongHandler(func(data string) error {
			answered = data

			return nil
		})

		if err := socket.WriteControl(websocket.PingMessage, []byte("there?"), time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}

		talk(t, socket) // which reads both

		if answered != "there?" {
			t.Errorf("answered with %q", answered)
		}
	})
}

func TestAnInvalidMessageIs4400(t *testing.T) {
	hub := streaming(t, 0, false)

	for name, sent := range map[string]string{
		"no JSON":                        `{`,
		"nothing":                        ``,
		"two values":                     `{"type": "ping"} {}`,
		"text":                           `"ping"`,
		"a list":                         `[{"type": "ping"}]`,
		"a number":                       `1`,
		"null":                           `null`,
		"no type":                        `{"id": "1"}`,
		"a type that is a number":        `{"type": 1}`,
		"a type that is null":            `{"type": null}`,
		"an unknown type":                `{"type": "start", "id": "1"}`,
		"a server's type: next":          `{"type": "next", "id": "1", "payload": {}}`,
		"a server's type: error":         `{"type": "error", "id": "1", "payload": {}}`,
		"a server's type: ack":           `{"type": "connection_ack"}`,
		"subscribe without id":           `{"type": "subscribe", "payload": {"query": "{ __typename }"}}`,
		"subscribe with an empty id":     `{"type": "subscribe", "id": "", "payload": {"query": "{ __typename }"}}`,
		"subscribe with a number as id":  `{"type": "subscribe", "id": 1, "payload": {"query": "{ __typename }"}}`,
		"subscribe without payload":      `{"type": "subscribe", "id": "1"}`,
		"subscribe with null as payload": `{"type": "subscribe", "id": "1", "payload": null}`,
		"subscribe with a text":          `{"type": "subscribe", "id": "1", "payload": "{ __typename }"}`,
		"subscribe with a list":          `{"type": "subscribe", "id": "1", "payload": []}`,
		"subscribe without query":        `{"type": "subscribe", "id": "1", "payload": {}}`,
		"subscribe with an empty query":  `{"type": "subscribe", "id": "1", "payload": {"query": ""}}`,
		"a query that is a number":       `{"type": "subscribe", "id": "1", "payload": {"query": 1}}`,
		"an operationName as number":     `{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "operationName": 1}}`,
		"variables as list":              `{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "variables": []}}`,
		"variables as text":              `{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "variables": "{}"}}`,
		"extensions as text":             `{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "extensions": "{}"}}`,
		"complete without id":            `{"type": "complete"}`,
		"complete with a number as id":   `{"type": "complete", "id": 1}`,
		"no UTF-8":                       "{\"type\": \"ping\", \"payload\": {\"a\": \"\xff\"}}",
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, hub, nil)
			socket.login(hub.Operator)
			talk(t, socket.of(t), say(sent, "close 4400"))
		})
	}

	t.Run("binary", func(t *testing.T) {
		socket := dial(t, hub, nil)
		if err := socket.WriteMessage(websocket.BinaryMessage, []byte(initiate)); err != nil {
			t.Fatal(err)
		}

		if code, _ := socket.closing(); code != 4400 {
			t.Errorf("closed with %d", code)
		}
	})

	t.Run("no UTF-8 of the agent's is mended", func(t *testing.T) {
		socket := dial(t, hub, nil)
		socket.login(hub.Agent)
		talk(t, socket.of(t), say("{\"type\": \"ping\", \"payload\": {\"a\": \"\xff\"}}", "pong"))
	})
}

func TestTheProtocolOfOperations(t *testing.T) {
	const changes = `subscription { queueChanged { at } }`

	long := `{"type": "subscribe", "id": "1", "payload": {"query": "query A { __typename } query B { viewer { name } }", "operationName": %s, "variables": null, "extensions": {}}}`
	ended, open := streaming(t, 2, true), streaming(t, 2, false)

	for name, exchanges := range map[string][]exchange{
		"a query has one next and complete":           {say(sub("1", "{ viewer { name } }"), "next 1", "complete 1")},
		"a mutation has one next and complete":        {say(sub("1", "mutation { holdBatch(id: 1) { id } }"), "next 1", "complete 1")},
		"a query that fails has one next too":         {say(sub("1", "{ queue { cursor } }"), "next 1", "complete 1")},
		"an id is free again after complete":          {say(sub("1", "{ __typename }"), "next 1", "complete 1"), say(sub("1", "{ __typename }"), "next 1", "complete 1")},
		"an id may be any text":                       {say(sub(`ключ "1"`, "{ __typename }"), `next ключ "1"`, `complete ключ "1"`)},
		"the operation named is carried out":          {say(fmt.Sprintf(long, `"B"`), "next 1", "complete 1")},
		"of several one has to be named":              {say(fmt.Sprintf(long, `null`), "error 1")},
		"a syntax error is an error alone":            {say(sub("1", "{"), "error 1")},
		"an unknown field is an error alone":          {say(sub("1", "{ nope }"), "error 1")},
		"a too complex operation is an error alone":   {say(sub("1", "{"+strings.Repeat(" __typename", 51)+" }"), "error 1")},
		"a subscription of two fields is an error":    {say(sub("1", "subscription { a: queueChanged { at } b: queueChanged { at } }"), "error 1")},
		"an id is free again after error":             {say(sub("1", "{"), "error 1"), say(sub("1", "{ __typename }"), "next 1", "complete 1")},
		"complete of an unknown id is passed over":    {say(`{"type": "complete", "id": "nobody"}`)},
		"a subscription that ends says complete":      {say(sub("1", changes), "next 1", "next 1", "complete 1")},
		"its id is free again":                        {say(sub("1", changes), "next 1", "next 1", "complete 1"), say(sub("1", changes), "next 1", "next 1", "complete 1")},
		"the client's complete of it is no fault":     {say(sub("1", changes), "next 1", "next 1", "complete 1"), say(`{"type": "complete", "id": "1"}`)},
		"variables that do not fit are an error":      {say(`{"type": "subscribe", "id": "1", "payload": {"query": "query($n: Int!) { commands(first: $n) { totalCount } }"}}`, "error 1")},
		"variables that nest too deep are an error":   {say(`{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }", "variables": {"a": `+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}}}`, "error 1")},
		"a subscription without its role is an error": {say(sub("1", "subscription { logAppended { __typename } }"), "error 1")},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, ended, nil)
			if strings.Contains(name, "role") {
				socket.login(ended.Agent)
			} else {
				socket.login(ended.Operator)
			}

			talk(t, socket.of(t), exchanges...)
		})
	}

	for name, exchanges := range map[string][]exchange{
		"an id in use is 4409":                          {say(sub("1", changes), "next 1", "next 1"), say(sub("1", "{ __typename }"), "close 4409")},
		"another id is not":                             {say(sub("1", changes), "next 1", "next 1"), say(sub("2", changes), "next 2", "next 2")},
		"the client's complete is answered by silence":  {say(sub("1", changes), "next 1", "next 1"), say(`{"type": "complete", "id": "1"}`)},
		"after the client's complete the id is free":    {say(sub("1", changes), "next 1", "next 1"), say(`{"type": "complete", "id": "1"}`), say(sub("1", changes), "next 1", "next 1")},
		"complete of one leaves the others":             {say(sub("1", changes), "next 1", "next 1"), say(sub("2", changes), "next 2", "next 2"), say(`{"type": "complete", "id": "1"}`), say(sub("2", changes), "close 4409")},
		"queries are answered beside subscriptions":     {say(sub("1", changes), "next 1", "next 1"), say(sub("2", "{ __typename }"), "next 2", "complete 2")},
		"subscriptions end with the connection's fault": {say(sub("1", changes), "next 1", "next 1"), say(`{`, "close 4400")},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, open, nil)
			socket.login(open.Operator)
			talk(t, socket.of(t), exchanges...)
		})
	}
}

func TestALoginThatIsRefusedIs4403(t *testing.T) {
	hub := startHub(t, nil)
	socket := dial(t, hub, nil)
	talk(t, socket, say(initWith(`"Bearer `+access.NewToken()+`"`), "close 4403"))
}

func TestWhatABrokenFrameGets(t *testing.T) {
	hub := startHub(t, func(setup *hubSetup) { setup.Config.Times.Goodbye = 200 * time.Millisecond })

	for name, frame := range map[string][]byte{
		"not masked":          {0x81, 0x01, 'x'},
		"a reserved bit":      {0xc1, 0x81, 0, 0, 0, 0, 'x'},
		"an unknown opcode":   {0x83, 0x81, 0, 0, 0, 0, 'x'},
		"a continued nothing": {0x80, 0x81, 0, 0, 0, 0, 'x'},
	} {
		t.Run(name, func(t *testing.T) {
			socket := dial(t, hub, nil)
			if _, err := socket.NetConn().Write(frame); err != nil {
				t.Fatal(err)
			}

			if code, _ := socket.closing(); code != websocket.CloseProtocolError {
				t.Errorf("closed with %d", code)
			}
		})
	}

	t.Run("a message in several frames is one", func(t *testing.T) {
		socket := dial(t, hub, nil)

		writer, err := socket.NextWriter(websocket.TextMessage)
		if err != nil {
			t.Fatal(err)
		}

		for _, part := range []string{strings.Repeat(" ", 5000), ping, strings.Repeat(" ", 5000)} {
			if _, err := writer.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}

		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}

		if got := socket.receive(); got.Type != "pong" {
			t.Errorf("got %s", got.Type)
		}
	})

	t.Run("the client's close comes back", func(t *testing.T) {
		socket := dial(t, hub, nil)

		_ = socket.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4321, "bye"), time.Now().Add(time.Second))

		if code, _ := socket.closing(); code != 4321 {
			t.Errorf("closed with %d", code)
		}
	})
}
