// Package live delivers what is written to the event log to those who watch: each event once and in order, or the
// newest state at a bounded rate. It has no goroutine of its own; whoever ranges over what it gives does the reading,
// at its own pace, and so never holds up anybody else.
package live
