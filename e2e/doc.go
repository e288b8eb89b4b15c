// Package e2e uses the hub as browsers and other people's clients do: GraphiQL in Debian's Chromium, and npm's
// graphql-sse. The tests are JavaScript; what is in Go starts the hub that they are run against.
package e2e
