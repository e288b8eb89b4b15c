package main

import (
	"io"
	"net/http"
)

// bareAnswer is as long as the hub's answer to a claim.
const bareAnswer = `{"data":{"claim":{"claim":{"command":{"id":"123456"},"params":{"__typename":"EnsureStatus","key":"AURORA-1000",` +
	`"path":["Selected","In Progress"]},"pauseSeconds":5,"delivery":1,"dedupeKey":"5a1f0c1e-2f60-4b7c-9c53-5a4d2c6f1e11"},"idleReason":null}}}`

// bare answers every request alike: the least that HTTP costs.
func bare() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a client that went away reads no answer

		w.Header().Set("Content-Type", "application/json")

		_, _ = io.WriteString(w, bareAnswer) // likewise
	})
}
