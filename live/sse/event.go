package sse

import "bytes"

// Event is one answer.
type Event struct {
	// ID is what a reader who was cut off after this answer gives back as Last-Event-ID; "" where it has none.
	ID string
	// Data is JSON.
	Data []byte
}

// The lines around the answers. An event without a data line would not be dispatched by browsers.
const (
	keepAlive = ":\n\n"
	complete  = "event: complete\ndata:\n\n"
)

// frame writes the event as its lines. A line break can only be white space in JSON, and would end the data here.
func (e *Event) frame() []byte {
	var lines bytes.Buffer

	lines.Grow(len(e.Data) + 64) // the lines around it
	lines.WriteString("event: next\n")

	if e.ID != "" {
		lines.WriteString("id: " + e.ID + "\n")
	}

	lines.WriteString("data: ")

	data := lines.Len()
	lines.Write(e.Data)

	for i, character := range lines.Bytes()[data:] {
		if character == '\n' || character == '\r' {
			lines.Bytes()[data+i] = ' '
		}
	}

	lines.WriteString("\n\n")

	return lines.Bytes()
}
