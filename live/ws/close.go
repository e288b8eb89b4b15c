package ws

import (
	"fmt"
	"strings"

	"github.com/gorilla/websocket"
)

// Close says how a connection ends: with one of websocket's own codes, or with one of those of the protocol.
type Close struct {
	Code int
	// Reason is cut to what a close frame holds, between characters.
	Reason string
}

func (c *Close) Error() string { return fmt.Sprintf("closed with %d: %s", c.Code, c.Reason) }

// The codes of the protocol.
const (
	InvalidMessage   = 4400
	Unauthorized     = 4401
	Forbidden        = 4403
	BadSubprotocol   = 4406
	InitTimeout      = 4408
	SubscriberExists = 4409
	TooManyInits     = 4429
)

// goingAway is what every connection is closed with when the server ends.
func goingAway() *Close {
	return &Close{Code: websocket.CloseGoingAway, Reason: "the hub is shutting down"}
}

func invalid(format string, args ...any) *Close {
	return &Close{Code: InvalidMessage, Reason: fmt.Sprintf(format, args...)}
}

func (c *Close) frame() []byte {
	const most = 123

	reason := c.Reason
	if len(reason) > most {
		reason = strings.ToValidUTF8(reason[:most], "")
	}

	return websocket.FormatCloseMessage(c.Code, reason)
}
