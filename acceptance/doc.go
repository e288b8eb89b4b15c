// Package acceptance proves the hub from outside: every scenario and sentence
// of the requirement and every rule that can be seen over HTTP, GraphQL and the
// command line, against the built program and a real Postgres. It imports
// nothing of the hub. Each test works in a site of its own.
package acceptance
