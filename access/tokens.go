package access

import (
	"context"
	"crypto/sha256"
	"errors"
)

// Tokens is where tokens are kept; the database implements it.
type Tokens interface {
	// Lookup finds who the token with this Hash speaks for, and notes its last use. It answers ErrUnknown, ErrExpired
	// or ErrRevoked where it speaks for nobody; any other error means that it could not be found out.
	Lookup(ctx context.Context, hash [sha256.Size]byte) (Caller, error)
}

// ErrAway says that the tokens could not be read in time: nobody was refused, and the call is safe to repeat.
var ErrAway = errors.New("the database is away; try again")
