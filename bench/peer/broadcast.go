package peer

import (
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// broadcast writes each change to all connections, one after another, as one gorilla PreparedMessage: the floor.
type broadcast struct {
	upgrader websocket.Upgrader

	mu      sync.Mutex
	members map[*websocket.Conn]struct{}
}

// Broadcast is the floor, a server for Serve: it knows just enough of graphql-transport-ws to be subscribed to.
func Broadcast() http.Handler {
	b := &broadcast{
		upgrader: websocket.Upgrader{Subprotocols: []string{"graphql-transport-ws"}},
		members:  map[*websocket.Conn]struct{}{},
	}

	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", b.join)
	mux.HandleFunc(Path, b.send)

	return mux
}

func (b *broadcast) join(w http.ResponseWriter, r *http.Request) {
	conn, err := b.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // which has answered
	}

	// As gorilla's own example has it: the request is over, and a goroutine reads.
	go b.serve(conn)
}

func (b *broadcast) serve(conn *websocket.Conn) {
	defer func() {
		b.mu.Lock()
		delete(b.members, conn)
		b.mu.Unlock()

		_ = conn.Close() // nobody reads it any more
	}()

	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			return
		}

		switch kind := string(message); {
		case strings.Contains(kind, `"connection_init"`):
			err = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"connection_ack"}`))
		case strings.Contains(kind, `"subscribe"`):
			b.mu.Lock()
			b.members[conn] = struct{}{}
			b.mu.Unlock()
		}

		if err != nil {
			return
		}
	}
}

func (b *broadcast) send(w http.ResponseWriter, r *http.Request) {
	change, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}

	frame := `{"id":"1","type":"next","payload":{"data":{"commandChanged":` + string(change) + `}}}`

	message, err := websocket.NewPreparedMessage(websocket.TextMessage, []byte(frame))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)

		return
	}

	b.mu.Lock()
	defer b.mu.Unlock()

	for conn := range b.members {
		_ = conn.WritePreparedMessage(message) // who is gone is noticed by whoever reads it
	}
}
