package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/sdlc-hub/sdlc-hub/bench/crowd"
	"github.com/sdlc-hub/sdlc-hub/bench/peer"
)

// What this program can be besides the bench, by its first argument: each is measured in a process of its own.
const (
	bareServer      = "bare-server"
	broadcastServer = "broadcast-server"
	stockServer     = "stock-server"
	crowdOfReaders  = "crowd"
)

// beChild does what the first argument asks for; false where that is for the bench itself.
func beChild(args []string, out io.Writer) (code int, child bool) {
	if len(args) == 0 {
		return 0, false
	}

	server := func(handler http.Handler) (int, bool) {
		if !peer.Serve(out, handler) {
			return exitMissed, true
		}

		return exitReached, true
	}

	switch args[0] {
	case bareServer:
		return server(bare())
	case broadcastServer:
		return server(peer.Broadcast())
	case stockServer:
		return server(peer.Stock())
	case crowdOfReaders:
		if err := crowd.Read(context.Background(), args[1:], out); err != nil {
			_, _ = fmt.Fprintln(out, "fault:", err)

			return exitMissed, true
		}

		return exitReached, true
	default:
		return 0, false
	}
}

// startChild runs this program as one of its servers.
func startChild(ctx context.Context, what string, env ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}

	return startProcess(ctx, self, []string{what}, env...)
}
