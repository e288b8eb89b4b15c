// Package live delivers what is written to the event log to those who watch: each event once and in order, or the
// newest state at a bounded rate. One goroutine a site with readers, its feed, reads each new event once and keeps the
// newest in a ring. A reader is nothing but a position, in the goroutine of whoever ranges over it: it takes what
// follows from the ring, or from the log itself where it is further back, and so never holds up anybody else.
package live
