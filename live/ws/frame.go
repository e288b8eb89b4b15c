package ws

import (
	"encoding/binary"

	"github.com/gorilla/websocket"
)

// appendHeader writes the header of a whole frame, as a server sends it.
func appendHeader(to []byte, kind, length int) []byte {
	const (
		final    = 0x80
		short    = 125
		twoBytes = 126
		longer   = 127
	)

	to = append(to, final|byte(kind)) //nolint:gosec // kinds have four bits

	switch {
	case length <= short:
		return append(to, byte(length)) //nolint:gosec // it is short
	case length <= 0xffff:
		return binary.BigEndian.AppendUint16(append(to, twoBytes), uint16(length))
	default:
		return binary.BigEndian.AppendUint64(append(to, longer), uint64(length))
	}
}

// frame is a message in three parts, so that what is the same for many is not put together for each.
type frame struct {
	kind       int
	head, tail string
	body       []byte
}

func text(message string) frame { return frame{kind: websocket.TextMessage, head: message} }

func (f *frame) append(to []byte) []byte {
	to = appendHeader(to, f.kind, len(f.head)+len(f.body)+len(f.tail))

	return append(append(append(to, f.head...), f.body...), f.tail...)
}
