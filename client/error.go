package client

import (
	"errors"
	"fmt"
	"time"
)

// Code says what kind of failure an Error is: the contract's extensions.code, or one of the two below where no
// GraphQL answer came.
type Code string

// The contract's codes that the agent tells apart.
const (
	BadRequest      Code = "BAD_REQUEST"
	TooComplex      Code = "TOO_COMPLEX"
	Unauthenticated Code = "UNAUTHENTICATED"
	Forbidden       Code = "FORBIDDEN"
	NotFound        Code = "NOT_FOUND"
	Conflict        Code = "CONFLICT"
	TooLarge        Code = "TOO_LARGE"
	Unprocessable   Code = "UNPROCESSABLE"
	RateLimited     Code = "RATE_LIMITED"
	Internal        Code = "INTERNAL"
	Unavailable     Code = "UNAVAILABLE"
)

const (
	// Unreachable means that no answer came: whether the hub did what was asked is unknown.
	Unreachable Code = "UNREACHABLE"
	// NoHub means that something answered that is no hub: a proxy, another server, another path.
	NoHub Code = "NO_HUB"
)

// Error is a call that did not succeed.
type Error struct {
	Code Code
	// Status is the answer's HTTP status; 0 where none came.
	Status  int
	Message string
	// RetryAfter is how long the hub asks to wait before the next call; 0 where it does not say.
	RetryAfter time.Duration

	cause error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("the hub answered %s (HTTP %d): %s", e.Code, e.Status, e.Message)
	}

	return "the hub cannot be reached: " + e.Message
}

// Unwrap gives the transport's error, such as a context's end.
func (e *Error) Unwrap() error { return e.cause }

// Temporary tells whether the same call may succeed later without anything being changed about it.
func (e *Error) Temporary() bool {
	switch e.Code {
	case Unreachable, NoHub, Unavailable, RateLimited, Internal:
		return true
	default:
		return false
	}
}

// CodeOf gives the code of the Error in err's chain, or "" where there is none.
func CodeOf(err error) Code {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Code
	}

	return ""
}
