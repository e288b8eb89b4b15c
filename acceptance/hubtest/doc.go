// Package hubtest starts real hubs and speaks to them as their callers do: the
// program built from this tree, a real Postgres, HTTP, GraphQL and the
// graphql-transport-ws protocol. It imports nothing of the hub, so that what
// the tests say of the hub is said from outside.
package hubtest
