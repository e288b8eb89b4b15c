// Package server is the hub's HTTP side: routes, login, limits, health, the websocket, and an orderly end. What it
// answers with is injected: it knows the schema only as something that executes.
package server
