package main

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

// bareServerCommand makes this program the bare server, in a process of its own as the hub's is.
const bareServerCommand = "bare-server"

// bareAnswer is as long as the hub's answer to a claim.
const bareAnswer = `{"data":{"claim":{"claim":{"command":{"id":"123456"},"params":{"__typename":"EnsureStatus","key":"AURORA-1000",` +
	`"path":["Selected","In Progress"]},"pauseSeconds":5,"delivery":1,"dedupeKey":"5a1f0c1e-2f60-4b7c-9c53-5a4d2c6f1e11"},"idleReason":null}}}`

// serveBare answers every request alike until it is told to end: the least that HTTP costs.
func serveBare(out io.Writer) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it listens at once or not at all
	if err != nil {
		return exitMissed
	}

	server := &http.Server{
		ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // a client that went away reads no answer

			w.Header().Set("Content-Type", "application/json")

			_, _ = io.WriteString(w, bareAnswer) // likewise
		}),
	}

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

		return exitReached
	case <-served:
		return exitMissed
	}
}
