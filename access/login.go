package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what callers may ask of an Authenticator. A zero field means its default.
type Limits struct {
	// FailuresPerMinute is how many failed logins an address has in a minute, and at once. 30.
	FailuresPerMinute int
	// OperationsPerSecond is how many operations a token has in a second on average. 1,000.
	OperationsPerSecond float64
	// OperationBurst is how many it has at once. 5,000.
	OperationBurst int
	// LookupTime is how long the look-up of a token may take. 4 s.
	LookupTime time.Duration
}

// The defaults of Limits, and how many addresses and tokens are kept count of. The one unused for longest gives way to
// a new one, so that what strangers send cannot fill the memory.
const (
	defaultFailuresPerMinute   = 30
	defaultOperationsPerSecond = 1000
	defaultOperationBurst      = 5000
	defaultLookupTime          = 4 * time.Second
	countedAddresses           = 10_000
	countedTokens              = 10_000
)

func (l Limits) orDefaults() Limits {
	if l.FailuresPerMinute == 0 {
		l.FailuresPerMinute = defaultFailuresPerMinute
	}

	if l.OperationsPerSecond == 0 {
		l.OperationsPerSecond = defaultOperationsPerSecond
	}

	if l.OperationBurst == 0 {
		l.OperationBurst = defaultOperationBurst
	}

	if l.LookupTime == 0 {
		l.LookupTime = defaultLookupTime
	}

	return l
}

// Authenticator logs callers in and limits what they may ask. It is safe for concurrent use.
type Authenticator struct {
	tokens     Tokens
	limits     Limits
	failures   *buckets[string]
	operations *buckets[tokenName]
}

// tokenName is what a token is counted under: names are unique within a site.
type tokenName struct {
	site int64
	name string
}

// NewAuthenticator makes an Authenticator over those tokens.
func NewAuthenticator(tokens Tokens, limits Limits) *Authenticator {
	limits = limits.orDefaults()

	return &Authenticator{
		tokens: tokens,
		limits: limits,
		failures: newBuckets[string](
			countedAddresses, rate.Limit(limits.FailuresPerMinute)/rate.Limit(time.Minute.Seconds()), limits.FailuresPerMinute),
		operations: newBuckets[tokenName](
			countedTokens, rate.Limit(limits.OperationsPerSecond), limits.OperationBurst),
	}
}

// Login finds the caller behind the value of an Authorization header, "Bearer" and a token. The address is whatever
// the caller can least change about where it calls from.
//
// It answers a *Denied: Unauthenticated where nobody is behind it, RateLimited where that address has failed too often
// already. Other errors mean that the token could not be looked up; ErrAway is among them where that took too long.
//
// A valid token passes however often its address has failed. That gives nothing away, since no number of attempts
// finds one of 2^256 tokens, and else a stranger could lock out everyone who shares an address with it. What the limit
// spares is the log and the caller's own network; and what is no token at all never reaches the database.
func (a *Authenticator) Login(ctx context.Context, authorization, address string) (Caller, error) {
	token, err := bearer(authorization)
	if errors.Is(err, ErrNoToken) || errors.Is(err, ErrEmptyToken) {
		// Nobody tried anything: a client that first asks how to log in is no failure.
		return Caller{}, err
	}

	var caller Caller
	if err == nil {
		caller, err = a.lookUp(ctx, token)
	}

	if denied, ok := errors.AsType[*Denied](err); ok {
		if wait, empty := a.failures.take(address); empty {
			return Caller{}, &Denied{
				Code:       RateLimited,
				Message:    fmt.Sprintf("too many failed logins from this address; the last one: %s", denied.Message),
				RetryAfter: wait,
			}
		}
	}

	return caller, err
}

// LookAgain finds out whether what has logged in by that Authorization header would do so still. It errs as Login does,
// but counts no failure: an ended token that was valid is no attempt at anything.
func (a *Authenticator) LookAgain(ctx context.Context, authorization string) error {
	_, err := a.Find(ctx, authorization)

	return err
}

// Find finds the caller as Login does, and counts no failure: for whoever looks on behalf of several, and has each of them
// log in by itself where they are refused.
func (a *Authenticator) Find(ctx context.Context, authorization string) (Caller, error) {
	token, err := bearer(authorization)
	if err != nil {
		return Caller{}, err
	}

	return a.lookUp(ctx, token)
}

// Admit counts one operation of the caller; it answers a *Denied of code RateLimited where it has no more for now.
func (a *Authenticator) Admit(caller Caller) error {
	wait, empty := a.operations.take(tokenName{site: caller.SiteID, name: caller.Token})
	if !empty {
		return nil
	}

	return &Denied{
		Code:       RateLimited,
		Message:    fmt.Sprintf("too many operations with this token: it has %g a second", a.limits.OperationsPerSecond),
		RetryAfter: wait,
	}
}

func (a *Authenticator) lookUp(ctx context.Context, token string) (Caller, error) {
	inTime, cancel := context.WithTimeout(ctx, a.limits.LookupTime)
	defer cancel()

	caller, err := a.tokens.Lookup(inTime, Hash(token))

	switch {
	case err == nil:
		return caller, nil
	case inTime.Err() != nil && ctx.Err() == nil:
		return Caller{}, fmt.Errorf("%w: %w", ErrAway, err)
	default:
		return Caller{}, fmt.Errorf("look up the token: %w", err)
	}
}

// bearer takes the token out of "Bearer <token>"; the scheme's case does not matter, as HTTP has it.
func bearer(authorization string) (string, error) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", ErrNoToken
	}

	switch token = strings.TrimSpace(token); {
	case token == "":
		return "", ErrEmptyToken
	case !wellFormed(token):
		return "", ErrMalformed
	default:
		return token, nil
	}
}
