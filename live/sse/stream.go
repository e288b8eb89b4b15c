package sse

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Stream is how events are written. Both fields must be given.
type Stream struct {
	// KeepAlive is how often a comment is sent where nothing else is: proxies cut what is silent.
	KeepAlive time.Duration
	// Write is how long a message may take to be read; a reader who takes longer is let go.
	Write time.Duration
}

// Serve writes what next gives until that is nil, and then `complete`; where the context ends first it is not written,
// since the reader is to come back. It returns once next runs no more. next is never called twice at once, nor after
// the context has ended, but from a goroutine of its own: the response belongs to this one alone.
//
// An error means that nothing was written, because this ResponseWriter cannot stream. A reader who is gone is none.
func (s Stream) Serve(ctx context.Context, w http.ResponseWriter, next func(context.Context) *Event) error {
	out := &response{writer: w, control: http.NewResponseController(w), time: s.Write}
	if err := out.begin(); err != nil {
		return fmt.Errorf("begin an event stream: %w", err)
	}
	defer out.end()

	ctx, stop := context.WithCancel(ctx)

	var pulling sync.WaitGroup
	defer pulling.Wait()
	defer stop()

	frames := make(chan []byte)

	pulling.Go(func() { pull(ctx, next, frames) })
	s.write(ctx, out, frames)

	return nil
}

// pull hands each event over, and closes the channel at the end.
func pull(ctx context.Context, next func(context.Context) *Event, frames chan<- []byte) {
	defer close(frames)

	for ctx.Err() == nil {
		event := next(ctx)
		if event == nil {
			return
		}

		select {
		case frames <- event.frame():
		case <-ctx.Done():
		}
	}
}

// write writes the frames, and comments between them, until they or the context end or the reader is gone.
func (s Stream) write(ctx context.Context, out *response, frames <-chan []byte) {
	silent := time.NewTicker(s.KeepAlive)
	defer silent.Stop()

	for {
		var message []byte

		select {
		case <-ctx.Done():
			return
		case <-silent.C:
			message = []byte(keepAlive)
		case frame, more := <-frames:
			if !more {
				if ctx.Err() == nil {
					_ = out.write([]byte(complete)) // it is over either way
				}

				return
			}

			message = frame

			silent.Reset(s.KeepAlive)
		}

		if out.write(message) != nil {
			return
		}
	}
}
