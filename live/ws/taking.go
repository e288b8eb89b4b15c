package ws

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
)

// taking takes over the connection of a request, for the upgrader.
type taking struct {
	http.ResponseWriter

	wire *wire
}

// Hijack gives the connection.
func (t *taking) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take over the connection: %w", err)
	}

	t.wire = &wire{Conn: conn}

	return t.wire, buffers, nil
}

// wire is the connection as the websocket's library sees it. Once it is upgraded, the library's own writes are left out:
// what it has to say about a broken frame comes as an error too, and goes through the outbox.
type wire struct {
	net.Conn

	upgraded bool
}

func (w *wire) Write(bytes []byte) (int, error) {
	if w.upgraded {
		return len(bytes), nil
	}

	return w.Conn.Write(bytes) //nolint:wrapcheck // passed through
}
