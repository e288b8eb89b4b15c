//go:build !unix

package ws

import "net"

// direct writes nothing here: the goroutine of the outbox does.
type direct struct{}

func newDirect(net.Conn) *direct { return nil }

func (*direct) write([]byte) (int, error) { return 0, nil }
