package group_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
	"github.com/sdlc-hub/sdlc-hub/server"
)

// tokens keeps tokens in memory.
type tokens struct {
	mu      sync.Mutex
	callers map[[sha256.Size]byte]access.Caller
}

func (k *tokens) Lookup(_ context.Context, hash [sha256.Size]byte) (access.Caller, error) {
	k.mu.Lock()
	defer k.mu.Unlock()

	caller, ok := k.callers[hash]
	if !ok {
		return access.Caller{}, access.ErrRevoked
	}

	return caller, nil
}

func (k *tokens) create(name string, role access.Role) string {
	token := access.NewToken()

	k.mu.Lock()
	defer k.mu.Unlock()

	k.callers[access.Hash(token)] = access.Caller{Token: name, Role: role, SiteID: int64(site), Site: "main"}

	return token
}

func (k *tokens) revoke(token string) {
	k.mu.Lock()
	defer k.mu.Unlock()

	delete(k.callers, access.Hash(token))
}

// hub is the server over a world.
type hub struct {
	*world

	tokens  *tokens
	address string
	stop    context.CancelFunc
	ended   chan error
}

func newHub(t *testing.T) *hub {
	t.Helper()

	return newHubWith(t, server.Times{})
}

// newHubWith sets some of the times besides.
func newHubWith(t *testing.T, times server.Times) *hub {
	t.Helper()

	times.Login, times.Goodbye = 50*time.Millisecond, 500*time.Millisecond

	made := &hub{world: newWorld(t), tokens: &tokens{callers: make(map[[sha256.Size]byte]access.Caller)}, ended: make(chan error, 1)}
	log := slog.New(slog.DiscardHandler)
	presenter := resolvers.NewPresenter(log)

	running, err := server.New(server.Config{
		Schema: made.schema, Login: access.NewAuthenticator(made.tokens, access.Limits{}), Present: presenter.Present,
		Recover: presenter.Recover, Log: log, Listen: "127.0.0.1:0",
		Times: times,
	})
	if err != nil {
		t.Fatal(err)
	}

	if err := running.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithCancel(context.Background())
	made.stop, made.address = stop, running.Addr().String()

	go func() { made.ended <- running.Run(ctx) }()

	t.Cleanup(func() {
		stop()

		if err := <-made.ended; err != nil {
			t.Error(err)
		}
	})

	return made
}

// socket is a websocket that is logged in.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

type frame struct {
	ID, Type string
	Payload  json.RawMessage
}

func (h *hub) dial(token string) *socket {
	h.t.Helper()

	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}

	conn, _, err := dialer.DialContext(h.t.Context(), "ws://"+h.address+"/graphql", nil)
	if err != nil {
		h.t.Fatal(err)
	}

	h.t.Cleanup(func() { _ = conn.Close() })

	made := &socket{t: h.t, conn: conn}
	made.send(`{"type": "connection_init", "payload": {"authorization": "Bearer ` + token + `"}}`)

	if got, err := made.read(); err != nil || got.Type != "connection_ack" {
		h.t.Fatalf("got %+v, %v", got, err)
	}

	return made
}

func (s *socket) send(text string) {
	s.t.Helper()

	if err := s.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		s.t.Error(err)
	}
}

// subscribe subscribes to changes after that position, or from now on where it is below zero.
func (s *socket) subscribe(id string, after int64) {
	s.t.Helper()

	variables := map[string]any{}
	if after >= 0 {
		variables = from(after)
	}

	message, err := json.Marshal(map[string]any{
		"id": id, "type": "subscribe", "payload": map[string]any{"query": changes, "variables": variables},
	})
	if err != nil {
		s.t.Fatal(err)
	}

	s.send(string(message))
}

func (s *socket) read() (frame, error) {
	var got frame

	_, raw, err := s.conn.ReadMessage()
	if err != nil {
		return got, err
	}

	return got, json.Unmarshal(raw, &got)
}

func TestOverWebsocketsEachFrameIsWhatItsReaderWouldBeGivenAlone(t *testing.T) {
	const total, before = 300, 100

	hub := newHub(t)
	roles := []access.Role{access.Viewer, access.Operator, access.Admin}

	var (
		names   []string
		readers sync.WaitGroup
	)

	for _, role := range roles {
		names = append(names, hub.tokens.create(role.String(), role))
	}

	revoked := hub.tokens.create("revoked", access.Viewer)

	for n := range before {
		hub.log.write(changed(queue.BatchID(n + 1)))
	}

	want := make(chan []string, 1)

	// The sockets of the token that is revoked see less, and are closed.
	for number := range 6 {
		one := hub.dial(revoked)
		one.subscribe("a", before)

		readers.Go(func() {
			for {
				_, err := one.read()
				if err == nil {
					continue
				}

				if closed, ok := errors.AsType[*websocket.CloseError](err); !ok || closed.Code != 4403 {
					t.Errorf("socket %d of the revoked token: %v", number, err)
				}

				return
			}
		})
	}

	for number := range 30 {
		one := hub.dial(names[number%len(names)])
		positions := map[string]int64{}

		for n, after := range []int64{0, before, int64(number * 3)} {
			id := fmt.Sprintf("reader %d.%d \"", number, n)
			positions[id] = after
			one.subscribe(id, after)
		}

		readers.Go(func() {
			expected := <-want
			want <- expected

			left := 0
			for _, after := range positions {
				left += total - int(after)
			}

			for ; left > 0; left-- {
				got, err := one.read()
				if err != nil || got.Type != "next" {
					t.Errorf("socket %d: %+v, %v", number, got, err)

					return
				}

				if at := positions[got.ID]; string(got.Payload) != expected[at] {
					t.Errorf("socket %d, %s: after %d came %s", number, got.ID, at, got.Payload)

					return
				}

				positions[got.ID]++
			}
		})
	}

	for n := before; n < total; n++ {
		if n == total/2 {
			hub.tokens.revoke(revoked)
		}

		hub.log.write(changed(queue.BatchID(n + 1)))
	}

	want <- hub.alone(from(0), total)

	readers.Wait()
}

func TestWhatWasWrittenIsHandedOutBeforeTheHubEnds(t *testing.T) {
	hub := newHub(t)

	var sockets []*socket

	reads := func(number int, n int64) {
		got, err := sockets[number].read()
		if err != nil || !strings.Contains(string(got.Payload), cursorAt(n).String()) {
			t.Fatalf("socket %d: %+v, %v", number, got, err)
		}
	}

	hub.log.write(changed(1))

	token := hub.tokens.create("anna", access.Viewer)
	for number := range 20 {
		sockets = append(sockets, hub.dial(token))
		sockets[number].subscribe("1", 0)
		reads(number, 1) // it has begun
	}

	hub.log.write(changed(2), changed(3))
	hub.stop()

	for number, one := range sockets {
		reads(number, 2)
		reads(number, 3)

		_, err := one.read()
		if closed, ok := errors.AsType[*websocket.CloseError](err); !ok || closed.Code != websocket.CloseGoingAway {
			t.Errorf("socket %d: %v", number, err)
		}
	}
}
