//go:build unix

package ws

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// direct writes to a socket what its buffer takes, and never waits for a reader. It is used by one goroutine at a time,
// and not while another writes to the connection.
type direct struct {
	raw   syscall.RawConn
	bytes []byte
	taken int
	err   error
	// once is kept, for a function value made anew would be allocated for each frame.
	once func(descriptor uintptr) bool
}

// newDirect gives nil where the connection is no bare socket, as under TLS.
func newDirect(conn net.Conn) *direct {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}

	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}

	made := &direct{raw: raw}
	made.once = made.try

	return made
}

func (d *direct) try(descriptor uintptr) bool {
	for {
		d.taken, d.err = syscall.Write(int(descriptor), d.bytes)
		if !errors.Is(d.err, syscall.EINTR) {
			return true // whatever came of it: it is not tried again
		}
	}
}

// write tells how much was taken; nothing where there is no direct way.
func (d *direct) write(bytes []byte) (int, error) {
	if d == nil {
		return 0, nil
	}

	d.bytes = bytes
	err := d.raw.Write(d.once)
	d.bytes = nil

	if err == nil {
		err = d.err
	}

	switch {
	case errors.Is(err, syscall.EAGAIN):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("write to the socket: %w", err)
	default:
		return d.taken, nil
	}
}
