package queue

import (
	"errors"
	"fmt"
)

// Code says what kind of refusal an Error is; it is part of the public contract.
type Code string

// The codes that verbs answer with. Each has the HTTP-like status that Status returns.
const (
	NotFound      Code = "NOT_FOUND"
	Conflict      Code = "CONFLICT"
	CursorExpired Code = "CURSOR_EXPIRED"
	TooLarge      Code = "TOO_LARGE"
	Unprocessable Code = "UNPROCESSABLE"
	Unavailable   Code = "UNAVAILABLE"
)

// Error is a refusal that the caller may read: its message holds nothing of the inside.
type Error struct {
	Code    Code
	Message string
	// Problems lists everything that is wrong, by position; empty where the message says it all.
	Problems []Problem
	cause    error
	busy     bool
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}

	return e.Message
}

// Unwrap gives the inner cause, for the log only.
func (e *Error) Unwrap() error { return e.cause }

// Refusef makes an Error of that code with a message for the caller.
func Refusef(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Away wraps a failure to reach the database: the call is safe to repeat.
func Away(cause error) *Error {
	return &Error{Code: Unavailable, Message: "the database is away; try again", cause: cause}
}

// Busy wraps a wait for a site or a connection that took too long: the call is safe to repeat.
func Busy(cause error) *Error {
	return &Error{Code: Unavailable, Message: "the site is busy with other changes; try again", cause: cause, busy: true}
}

// IsBusy tells whether the error in err's chain is one that Busy made: nothing is wrong but that others were first.
func IsBusy(err error) bool {
	var refusal *Error

	return errors.As(err, &refusal) && refusal.busy
}

// CodeOf gives the code of the Error in err's chain, or "" where there is none.
func CodeOf(err error) Code {
	if refusal, ok := errors.AsType[*Error](err); ok {
		return refusal.Code
	}

	return ""
}

// Problem is one thing that is wrong with a batch, a cancel or a retry.
type Problem struct {
	// Command is the command at fault, for cancelling and retrying; else nil.
	Command *CommandID
	// Code is a stable machine-readable reason, such as TEMP_KEY_UNKNOWN.
	Code    ProblemCode
	Message string
	// Position is the zero-based place in the batch; nil where the whole batch is at fault.
	Position *int
	// Field is the parameter at fault in the schema's spelling; "" where the whole command is.
	Field string
}

// ProblemCode is a stable machine-readable reason of a Problem.
type ProblemCode string

// What can be wrong with a batch.
const (
	EmptyBatch      ProblemCode = "EMPTY_BATCH"
	BatchTooLarge   ProblemCode = "BATCH_TOO_LARGE"
	KeyMalformed    ProblemCode = "KEY_MALFORMED"
	TempKeyUnknown  ProblemCode = "TEMP_KEY_UNKNOWN"
	TempKeyRepeated ProblemCode = "TEMP_KEY_REPEATED"
	TempKeyCycle    ProblemCode = "TEMP_KEY_CYCLE"
	Required        ProblemCode = "REQUIRED"
	TooLong         ProblemCode = "TOO_LONG"
	Malformed       ProblemCode = "MALFORMED"
)
