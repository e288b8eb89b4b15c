package access

import "time"

// Code says what kind of refusal a Denied is; it is part of the public contract.
type Code string

// The codes of this package.
const (
	Unauthenticated Code = "UNAUTHENTICATED"
	Forbidden       Code = "FORBIDDEN"
	RateLimited     Code = "RATE_LIMITED"
)

// Denied is a refused login or call. Its message is for the caller.
type Denied struct {
	Code    Code
	Message string
	// RetryAfter is how long to wait, for RateLimited alone.
	RetryAfter time.Duration
}

func (d *Denied) Error() string { return d.Message }

// Why a login is refused. Each is a *Denied of code Unauthenticated. Tokens answers with the last three.
var (
	ErrNoToken    error = &Denied{Code: Unauthenticated, Message: "log in: send a token of the hub as \"Authorization: Bearer hub_...\""}
	ErrEmptyToken error = &Denied{Code: Unauthenticated, Message: "no token was sent after \"Bearer\": perhaps the variable for it is empty"}
	ErrMalformed  error = &Denied{Code: Unauthenticated, Message: "this is not a whole token: it is hub_ and 49 characters; copy it again"}
	ErrUnknown    error = &Denied{Code: Unauthenticated, Message: "this token is not known to the hub"}
	ErrExpired    error = &Denied{Code: Unauthenticated, Message: "this token has expired; have a new one made"}
	ErrRevoked    error = &Denied{Code: Unauthenticated, Message: "this token has been revoked; have a new one made"}
)
