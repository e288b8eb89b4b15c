package server_test

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// memoryTokens keeps tokens in memory.
type memoryTokens struct {
	mu      sync.Mutex
	callers map[[sha256.Size]byte]access.Caller
	refused map[[sha256.Size]byte]error
	away    func(context.Context) error
	lookups int
}

var _ access.Tokens = (*memoryTokens)(nil)

// newMemoryTokens makes an empty one.
func newMemoryTokens() *memoryTokens {
	return &memoryTokens{
		callers: make(map[[sha256.Size]byte]access.Caller),
		refused: make(map[[sha256.Size]byte]error),
		away:    func(context.Context) error { return nil },
	}
}

// Make makes a token that speaks for that role on the site main.
func (t *memoryTokens) Make(name string, role access.Role) string {
	token := access.NewToken()

	t.mu.Lock()
	defer t.mu.Unlock()

	t.callers[access.Hash(token)] = access.Caller{Token: name, Role: role, SiteID: 1, Site: "main"}

	return token
}

// Refused makes a token that is looked up with that error.
func (t *memoryTokens) Refused(err error) string {
	token := access.NewToken()

	t.mu.Lock()
	defer t.mu.Unlock()

	t.refused[access.Hash(token)] = err

	return token
}

// End has the token looked up with that error from now on.
func (t *memoryTokens) End(token string, by error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	delete(t.callers, access.Hash(token))
	t.refused[access.Hash(token)] = by
}

// Away has every look-up go through that first, and fail where it does.
func (t *memoryTokens) Away(away func(context.Context) error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	t.away = away
}

// Lookups is how often a token was looked up.
func (t *memoryTokens) Lookups() int {
	t.mu.Lock()
	defer t.mu.Unlock()

	return t.lookups
}

// Lookup finds the caller.
func (t *memoryTokens) Lookup(ctx context.Context, hash [sha256.Size]byte) (access.Caller, error) {
	t.mu.Lock()
	t.lookups++
	away := t.away
	caller, known := t.callers[hash]
	refused, isRefused := t.refused[hash]
	t.mu.Unlock()

	if err := away(ctx); err != nil {
		return access.Caller{}, err
	}

	switch {
	case known:
		return caller, nil
	case isRefused:
		return access.Caller{}, refused
	default:
		return access.Caller{}, access.ErrUnknown
	}
}
