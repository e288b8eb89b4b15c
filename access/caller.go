package access

import (
	"context"
	"slices"
	"time"
)

// Caller is who a valid token speaks for.
type Caller struct {
	// Token is the token's name, never its secret: it stands as author and actor in what the caller changes.
	Token string
	Role  Role
	// SiteID and Site name the one site that the token is for.
	SiteID int64
	Site   string
	// Expires is when the token ends; zero where it does not.
	Expires time.Time
}

// HasOneOf tells whether the caller's role is among those.
func (c Caller) HasOneOf(roles ...Role) bool { return slices.Contains(roles, c.Role) }

type callerKey struct{}

// With gives a context that carries the caller.
func With(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// From finds the caller that With put there; false where nobody is logged in.
func From(ctx context.Context) (Caller, bool) {
	caller, ok := ctx.Value(callerKey{}).(Caller)

	return caller, ok
}

type requestKey struct{}

// WithRequestID gives a context that carries the id under which this request stands in the log.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID is what WithRequestID put there, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)

	return id
}
