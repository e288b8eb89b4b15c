package localpg

import "errors"

// The errors of [Start] that a caller may want to tell apart. Each comes wrapped
// in one that names the folder or the programs and says what to do.
var (
	// ErrNoPrograms: no usable initdb, postgres and pg_ctl were found.
	ErrNoPrograms = errors.New("no Postgres server programs found")
	// ErrOtherMajor: another major version made the cluster, and its programs are not here.
	ErrOtherMajor = errors.New("the cluster was made by another major version of Postgres")
	// ErrForeignFolder: the data folder holds something that is not ours.
	ErrForeignFolder = errors.New("not a data folder of the hub")
	// ErrImpassable: the account the server runs under cannot pass a folder on the way.
	ErrImpassable = errors.New("the data folder cannot be reached")
)

// errServerGone: the server ended before it accepted a connection.
var errServerGone = errors.New("the server ended before it accepted connections")
