// Package localpg runs a Postgres of its own for a program that was given none.
//
// It finds the installed server programs, makes a cluster in a data folder
// once, starts it on a unix socket only and stops it after its last user. What
// it promises:
//
//   - Any number of processes may use one data folder at the same moment. They
//     share one server: the first to come makes and starts it, the last to leave
//     stops it, and a process that is killed counts as having left.
//   - A data folder is never deleted, and nothing is written into a folder that
//     is neither empty nor one of ours.
//   - A cluster is there whole or not at all: it is made under another name and
//     renamed.
//   - What a killed run left is put right by the next Start: a server that still
//     runs is used, a dead one's pid file, socket and orphaned processes are
//     cleared away, half-made clusters are removed.
//   - The server hears no network, and its socket is in a folder of mode 0700, so
//     that only the account it runs under and root can connect.
//   - It is in a process session of its own: Ctrl-C in a terminal reaches the
//     program, not its database.
//
// # Who may connect
//
// Postgres refuses to run as root, so for root it runs under an unprivileged
// account, and the caller and the server are two users. Inside the socket's
// folder every connection is trusted. The folder lets in exactly those who could
// read the cluster's files anyway, the server's account and root, so a second
// check adds nothing; "peer" would need a name in the user database for both of
// them, which a container's made-up user id has not, and a password would be one
// more secret lying beside the data.
//
// The role that [Server.URL] connects as owns the database and nothing else: it
// is no superuser, so a hole in a query is not a shell on the machine.
//
// # What is in the data folder
//
//	postgres/        the cluster; postgresql.conf in it may be edited
//	postgres.new-*   a cluster in the making
//	postgres.log     the server's log, postgres.log.1 the one before
//	run/             the socket, where the folder's path is short enough for one
//	start.lock       held while the server is started or stopped
//	users.lock       shared by all who use the server
//
// # Locks
//
// Everything that starts or stops the server is done under an exclusive lock on
// start.lock. A user holds a shared lock on users.lock; who gets it exclusively
// while leaving is alone, and stops the server. Both are flock(2), which the
// kernel gives back when a process ends in whatever way.
package localpg
