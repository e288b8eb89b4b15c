package sse

import (
	"net/http"
	"time"
)

// response is what is written to, by one goroutine.
type response struct {
	writer  http.ResponseWriter
	control *http.ResponseController
	time    time.Duration
}

// begin sends the header, so that the reader knows at once that it is connected. Flushing is what sends it: where that
// is not possible, another answer still is.
func (r *response) begin() error {
	header := r.writer.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // nginx would else wait until its buffer is full

	r.limit()
	defer r.unlimit()

	return r.control.Flush() //nolint:wrapcheck // the caller says what it was for
}

// write sends the message within its time.
func (r *response) write(message []byte) error {
	r.limit()
	defer r.unlimit()

	if _, err := r.writer.Write(message); err != nil {
		return err //nolint:wrapcheck // nobody is told: the reader is gone
	}

	return r.control.Flush() //nolint:wrapcheck // likewise
}

// end leaves the time of one message to what net/http writes after the handler.
func (r *response) end() { r.limit() }

// limit gives what is written now its time. Not every ResponseWriter has deadlines; the hub's own do.
func (r *response) limit() { _ = r.control.SetWriteDeadline(time.Now().Add(r.time)) }

// unlimit takes the time back. In HTTP/2 a deadline that passes ends the stream though nothing is being written.
func (r *response) unlimit() { _ = r.control.SetWriteDeadline(time.Time{}) }
