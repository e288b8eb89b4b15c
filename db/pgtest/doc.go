// Package pgtest gives tests real Postgres databases: one cluster a run, one database a test.
//
// All test processes of a checkout's run share one server through [localpg], which they start when
// they first need it and which stops when the last of them has ended, however it ended. Its data
// folder is under the system's temporary folder and is kept, so that a later run starts at once; it
// holds nothing worth keeping and may be removed when no test runs. The server is fast and unsafe:
// it does not survive a power cut.
//
// The programs are found as the hub finds them, by HUB_POSTGRES_BIN first. Where there are none a
// test fails; none is skipped.
package pgtest
