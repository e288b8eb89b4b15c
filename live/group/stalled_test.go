package group_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/server"
)

// large is a change of which the buffers of the system hold few.
func large(batch queue.BatchID) *queue.Event {
	event := changed(batch)
	event.Actor = strings.Repeat("x", 20<<10)

	return event
}

// readInOrder reads the changes from the second to the last.
func (s *socket) readInOrder(last int64) {
	for position := int64(2); position <= last && !s.t.Failed(); position++ {
		s.readOf(position)
	}
}

func (s *socket) readOf(position int64) {
	_, raw, err := s.conn.ReadMessage()
	if err != nil || !strings.Contains(string(raw[:min(len(raw), 200)]), `"cursor":"`+cursorAt(position).String()+`"`) {
		s.t.Errorf("instead of change %d came %.200s, %v", position, raw, err)
	}
}

// begun gives sockets whose subscriptions run: each has read the first change.
func (h *hub) begun(n int) []*socket {
	h.t.Helper()

	h.log.write(large(1))

	token := h.tokens.create("anna", access.Viewer)
	sockets := make([]*socket, n)

	for i := range sockets {
		sockets[i] = h.dial(token)
		sockets[i].send(`{"id": "1", "type": "subscribe", "payload": {"query": "subscription { commandChanged(after: \"` + cursorAt(0).String() + `\") { cursor actor } }"}}`)
		sockets[i].readOf(1)
	}

	return sockets
}

func TestAStalledSocketHoldsNobodyUpAndIsCutOff(t *testing.T) {
	const total = 600

	hub := newHubWith(t, server.Times{Write: 2 * time.Second})
	sockets := hub.begun(6)
	stalled, others := sockets[0], sockets[1:]

	var reading sync.WaitGroup
	for _, one := range others {
		reading.Go(func() { one.readInOrder(total) })
	}

	for n := 1; n < total; n++ {
		hub.log.write(large(queue.BatchID(n + 1)))
	}

	reading.Wait()

	// That it was cut off it can only notice by writing: it reads nothing.
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()

	for stalled.conn.WriteMessage(websocket.TextMessage, []byte(`{"type": "pong"}`)) == nil {
		<-again.C
	}
}

func TestASlowSocketGetsEverythingAtItsOwnPace(t *testing.T) {
	const total = 600

	hub := newHubWith(t, server.Times{Write: time.Hour})
	sockets := hub.begun(6)
	slow, others := sockets[0], sockets[1:]

	var reading sync.WaitGroup
	for _, one := range others {
		reading.Go(func() { one.readInOrder(total) })
	}

	for n := 1; n < total; n++ {
		hub.log.write(large(queue.BatchID(n + 1)))
	}

	reading.Wait()
	slow.readInOrder(total)
}
