// Package ws speaks graphql-transport-ws, the websocket protocol of the npm package graphql-ws, over gorilla/websocket.
//
// A connection costs one goroutine, which reads, while it is idle. What is written goes through its outbox: straight to
// the socket where that takes it at once, and else by a goroutine that ends when all is written.
package ws
