package peer

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// headerWithin leaves time where very many connect at once to a busy machine.
const headerWithin = 30 * time.Second

// Serve says where it listens and answers until the process is told to end; false where it could not.
func Serve(out io.Writer, handler http.Handler) bool {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it listens at once or not at all
	if err != nil {
		return false
	}

	server := &http.Server{ReadHeaderTimeout: headerWithin, Handler: handler}

	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)

	served := make(chan struct{})

	go func() {
		defer close(served)

		_ = server.Serve(listener) // it always ends with an error
	}()

	_, _ = fmt.Fprintf(out, "http://%s/graphql\n", listener.Addr())

	select {
	case <-ended:
		_ = server.Close() // it ends now

		<-served

		return true
	case <-served:
		return false
	}
}
