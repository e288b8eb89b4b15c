package queue

import (
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Event is one entry of a site's log: what changed, and how it stood after the change.
type Event struct {
	Cursor Cursor
	At     time.Time
	Kind   EventKind
	// Actor is the name on the token that caused it; "" where the hub itself did.
	Actor string

	// Of an EventCommand: which, from what ("" for a new one), why, and its own changing fields after it.
	Command CommandID
	Batch   BatchID
	From    Status
	Cause   Cause
	State   State

	// Of an EventNote and an EventIssue: the key; of a note that moved also the one it had before.
	Key       Key
	MovedFrom Key
	// Note as it was left; nil where it was removed.
	Note *Note
	// Pace as it was left, of an EventPace.
	Pace *Pace
}

// Cursor is a position in a site's log: after the event Seq. Mark is a random number stored in that event, so that
// a position from before a restore, or of another database, is noticed.
type Cursor struct {
	Seq  int64
	Mark int64
}

const cursorBytes = 16

// String is the cursor as clients see it.
func (c Cursor) String() string {
	var raw [cursorBytes]byte

	binary.BigEndian.PutUint64(raw[:8], uint64(c.Seq))  //nolint:gosec // the bits are kept, not the number
	binary.BigEndian.PutUint64(raw[8:], uint64(c.Mark)) //nolint:gosec // the bits are kept, not the number

	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// ParseCursor reads a cursor; what is none is Unprocessable. Whether it still is a position only the log can tell.
func ParseCursor(s string) (Cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) != cursorBytes {
		return Cursor{}, Refusef(Unprocessable, "%.40q is no cursor; use one that the hub gave", s)
	}

	cursor := Cursor{
		Seq:  int64(binary.BigEndian.Uint64(raw[:8])), //nolint:gosec // the bits are kept, not the number
		Mark: int64(binary.BigEndian.Uint64(raw[8:])), //nolint:gosec // the bits are kept, not the number
	}

	if cursor.Seq < 0 {
		return Cursor{}, Refusef(Unprocessable, "%.40q is no cursor; use one that the hub gave", s)
	}

	return cursor, nil
}
