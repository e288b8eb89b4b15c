// Package peer has the servers that the hub is measured beside, each to be run in a process of its own: the least that a
// broadcast takes, and gqlgen as it comes.
package peer
