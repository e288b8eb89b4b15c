package sse_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// recorder is a response that belongs to whoever serves it, and to one goroutine at a time. It may be read meanwhile.
type recorder struct {
	t      *testing.T
	header http.Header

	used     atomic.Int32
	returned atomic.Bool

	mu       sync.Mutex
	text     strings.Builder
	flushed  int
	deadline time.Time
	late     []time.Duration
	gone     bool
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()

	return &recorder{t: t, header: make(http.Header)}
}

// use fails the test where the response is used by two at once, or by anyone after its handler has returned: net/http's
// own would panic, in a goroutine where nobody catches it, and take the process with it.
func (r *recorder) use() func() {
	if r.returned.Load() {
		r.t.Error("the response was used after its handler had returned")
	}

	if r.used.Add(1) > 1 {
		r.t.Error("the response was used by two at once")
	}

	r.mu.Lock()

	return func() {
		r.mu.Unlock()
		r.used.Add(-1)
	}
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(int) {
	r.t.Error("a status was written, and 200 is what flushing writes")
}

func (r *recorder) Write(text []byte) (int, error) {
	defer r.use()()

	if r.gone {
		return 0, errors.New("the reader is gone")
	}

	r.late = append(r.late, time.Until(r.deadline))

	return r.text.Write(text)
}

func (r *recorder) FlushError() error {
	defer r.use()()

	r.flushed = r.text.Len()

	return nil
}

func (r *recorder) SetWriteDeadline(deadline time.Time) error {
	defer r.use()()

	r.deadline = deadline

	return nil
}

// Seen is what the reader has by now.
func (r *recorder) Seen() string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.text.String()[:r.flushed]
}

// Leave has every write fail from now on.
func (r *recorder) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.gone = true
}

// Deadline is until when something may be written.
func (r *recorder) Deadline() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.deadline
}
