package ws

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

const (
	// most is how many bytes wait in an outbox before it counts as full. A message that is larger goes in alone.
	most = 256 << 10
	// chunk is how much is written at once: a client that reads so much within its time is no stalled one.
	chunk     = 64 << 10
	maxHeader = 10
)

// errGone says that nothing can be written any more.
var errGone = errors.New("the connection is over")

// outbox is what is to be written to one connection, in order.
type outbox struct {
	wire net.Conn
	// direct writes what the socket takes without waiting; nil where that cannot be done.
	direct *direct
	stall  time.Duration

	mu      sync.Mutex
	waiting [][]byte
	bytes   int
	// writing is true while the goroutine runs that writes what waits.
	writing bool
	// closed is true from when nothing is taken any more.
	closed bool
	// room, if any, is closed when half of the room is free again, or the outbox closed.
	room    chan struct{}
	writers sync.WaitGroup
}

// scratch has the frames that are written directly.
//
//nolint:gochecknoglobals // a pool serves all
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// put takes a frame; false where there is no room for it. urgent frames are taken in any case. Whoever puts a frame into
// a closed outbox is not told.
func (o *outbox) put(f frame, urgent bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()

	return o.take(f, urgent)
}

// take is put for where mu is held.
func (o *outbox) take(f frame, urgent bool) bool {
	if o.closed {
		return true
	}

	if o.writing {
		length := len(f.head) + len(f.body) + len(f.tail)
		if o.bytes+length > most && !urgent {
			return false
		}

		o.enqueue(f.append(make([]byte, 0, maxHeader+length)))

		return true
	}

	buffer, _ := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)

	*buffer = f.append((*buffer)[:0])

	written, err := o.direct.write(*buffer)
	if err != nil {
		o.fail()

		return true
	}

	if written < len(*buffer) {
		o.enqueue(append([]byte(nil), (*buffer)[written:]...))
		o.writing = true
		o.writers.Go(o.write)
	}

	if cap(*buffer) > chunk {
		*buffer = nil // such are rare, and not to be kept
	}

	return true
}

func (o *outbox) enqueue(bytes []byte) {
	o.waiting = append(o.waiting, bytes)
	o.bytes += len(bytes)
}

// write writes what waits until nothing does.
func (o *outbox) write() {
	for {
		next := o.next()
		if next == nil {
			return
		}

		for len(next) > 0 {
			part := next[:min(len(next), chunk)]

			_ = o.wire.SetWriteDeadline(time.Now().Add(o.stall)) // if it fails, so does the writing

			if _, err := o.wire.Write(part); err != nil {
				o.mu.Lock()
				o.fail()
				o.mu.Unlock()

				return
			}

			next = next[len(part):]

			o.mu.Lock()
			o.bytes -= len(part)
			o.makeRoom(o.bytes <= most/2)
			o.mu.Unlock()
		}
	}
}

// next gives what is to be written next, or ends the writing.
func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()

	if len(o.waiting) == 0 {
		_ = o.wire.SetWriteDeadline(time.Time{}) // else what is written directly would be late one day
		o.waiting, o.writing = nil, false

		return nil
	}

	first := o.waiting[0]
	o.waiting[0], o.waiting = nil, o.waiting[1:]

	return first
}

// fail ends what cannot be written to; mu is held. Whoever reads the connection notices.
func (o *outbox) fail() {
	o.closed, o.waiting, o.bytes = true, nil, 0
	o.makeRoom(true)

	_ = o.wire.Close() // it may be closed already
}

func (o *outbox) makeRoom(free bool) {
	if free && o.room != nil {
		close(o.room)
		o.room = nil
	}
}

// close takes a last frame and nothing after it.
func (o *outbox) close(last frame) {
	o.mu.Lock()
	defer o.mu.Unlock()

	o.take(last, true)
	o.closed = true
	o.makeRoom(true)
}

// awaitRoom waits until there is room, or the outbox ends: whoever then puts a frame is let go. It errs where the context
// ends first, or the outbox has ended already.
func (o *outbox) awaitRoom(ctx context.Context) error {
	o.mu.Lock()

	if o.closed {
		o.mu.Unlock()

		return errGone
	}

	if o.bytes <= most/2 {
		o.mu.Unlock()

		return nil
	}

	if o.room == nil {
		o.room = make(chan struct{})
	}

	room := o.room
	o.mu.Unlock()

	select {
	case <-room:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // whoever ended it knows why
	}
}

// send puts a frame, and waits for room for as long as the context lasts.
func (o *outbox) send(ctx context.Context, f frame) {
	for !o.put(f, false) {
		if o.awaitRoom(ctx) != nil {
			return
		}
	}
}

// isIdle tells whether everything taken has been handed to the socket.
func (o *outbox) isIdle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()

	return !o.writing
}
