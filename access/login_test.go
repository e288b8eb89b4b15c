package access_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// tokens answers every look-up by the hash, and counts them.
type tokens struct {
	answers map[[sha256.Size]byte]error // nil: a caller
	wait    time.Duration
	lookups int
}

func (k *tokens) Lookup(ctx context.Context, hash [sha256.Size]byte) (access.Caller, error) {
	k.lookups++

	select {
	case <-time.After(k.wait):
	case <-ctx.Done():
		return access.Caller{}, ctx.Err()
	}

	err, known := k.answers[hash]

	switch {
	case !known:
		return access.Caller{}, access.ErrUnknown
	case err != nil:
		return access.Caller{}, err
	default:
		return access.Caller{Token: "ops", Role: access.Operator, SiteID: 1, Site: "main"}, nil
	}
}

func (k *tokens) add(err error) string {
	token := access.NewToken()
	k.answers[access.Hash(token)] = err

	return token
}

func newTokens() *tokens { return &tokens{answers: make(map[[sha256.Size]byte]error)} }

func TestALoginTakesABearerTokenThatIsKnownAndValid(t *testing.T) {
	known := newTokens()
	valid := known.add(nil)
	login := access.NewAuthenticator(known, access.Limits{})

	for name, authorization := range map[string]string{
		"as written": "Bearer " + valid, "lower case": "bearer " + valid, "upper case": "BEARER " + valid,
		"spaces": "  Bearer   " + valid + " ",
	} {
		t.Run(name, func(t *testing.T) {
			caller, err := login.Login(t.Context(), authorization, "192.0.2.1")
			if err != nil || caller.Token != "ops" || caller.Role != access.Operator {
				t.Errorf("got %+v, %v", caller, err)
			}
		})
	}
}

func TestALoginIsRefusedForItsReason(t *testing.T) {
	known := newTokens()
	valid := known.add(nil)
	login := access.NewAuthenticator(known, access.Limits{})

	for name, tried := range map[string]struct {
		authorization string
		want          error
	}{
		"nothing":           {"", access.ErrNoToken},
		"another scheme":    {"Basic b3BzOm9wcw==", access.ErrNoToken},
		"no scheme":         {valid, access.ErrNoToken},
		"no token":          {"Bearer", access.ErrEmptyToken},
		"an empty variable": {"Bearer ", access.ErrEmptyToken},
		"not a token":       {"Bearer secret", access.ErrMalformed},
		"a cut token":       {"Bearer " + valid[:50], access.ErrMalformed},
		"two tokens":        {"Bearer " + valid + " " + valid, access.ErrMalformed},
		"an unknown token":  {"Bearer " + access.NewToken(), access.ErrUnknown},
		"an expired token":  {"Bearer " + known.add(access.ErrExpired), access.ErrExpired},
		"a revoked token":   {"Bearer " + known.add(fmt.Errorf("look up: %w", access.ErrRevoked)), access.ErrRevoked},
		"the store's fault": {"Bearer " + known.add(errOfStore), errOfStore},
	} {
		t.Run(name, func(t *testing.T) {
			caller, err := login.Login(t.Context(), tried.authorization, "192.0.2.1")
			if !errors.Is(err, tried.want) || caller != (access.Caller{}) {
				t.Errorf("got %+v, %v", caller, err)
			}

			denied, isDenied := errors.AsType[*access.Denied](err)
			if isDenied == errors.Is(tried.want, errOfStore) {
				t.Errorf("denied: %t", isDenied)
			} else if isDenied && denied.Code != access.Unauthenticated {
				t.Errorf("code %s", denied.Code)
			}
		})
	}
}

var errOfStore = errors.New("connection refused")

func TestWhatIsNoTokenIsNotLookedUp(t *testing.T) {
	known := newTokens()
	login := access.NewAuthenticator(known, access.Limits{})

	for _, authorization := range []string{"", "Bearer", "Bearer hub_x", "Bearer " + strings.Repeat("x", 1<<20)} {
		if _, err := login.Login(t.Context(), authorization, "192.0.2.1"); err == nil {
			t.Errorf("%.20q logged in", authorization)
		}
	}

	if known.lookups != 0 {
		t.Errorf("%d look-ups", known.lookups)
	}
}

func TestFailedLoginsAreLimitedByAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := newTokens()
		valid := known.add(nil)
		login := access.NewAuthenticator(known, access.Limits{FailuresPerMinute: 3})

		code := func(address, authorization string) access.Code {
			_, err := login.Login(t.Context(), authorization, address)

			if denied, ok := errors.AsType[*access.Denied](err); ok {
				return denied.Code
			}

			return ""
		}
		wrong := "Bearer " + access.NewToken()

		for range 3 {
			if got := code("192.0.2.1", wrong); got != access.Unauthenticated {
				t.Fatalf("a failure within the limit: %s", got)
			}
		}

		if got := code("192.0.2.1", wrong); got != access.RateLimited {
			t.Errorf("a failure beyond the limit: %s", got)
		}

		if got := code("192.0.2.1", "Bearer hub_typo"); got != access.RateLimited {
			t.Errorf("a malformed one beyond the limit: %s", got)
		}

		for _, nothing := range []string{"", "Bearer"} {
			if got := code("192.0.2.1", nothing); got != access.Unauthenticated {
				t.Errorf("no attempt at all, %q, counts as a failure: %s", nothing, got)
			}
		}

		if got := code("192.0.2.1", "Bearer "+valid); got != "" {
			t.Errorf("a valid token is locked out with the others: %s", got)
		}

		if got := code("192.0.2.2", wrong); got != access.Unauthenticated {
			t.Errorf("another address: %s", got)
		}

		_, err := login.Login(t.Context(), wrong, "192.0.2.1")

		var denied *access.Denied
		if !errors.As(err, &denied) || denied.RetryAfter != 20*time.Second {
			t.Fatalf("got %v, to be tried again after %v", err, denied)
		}

		<-time.After(denied.RetryAfter)

		if got := code("192.0.2.1", wrong); got != access.Unauthenticated {
			t.Errorf("after the time that was told: %s", got)
		}
	})
}

func TestAFaultOfTheStoreIsNoFailedLogin(t *testing.T) {
	known := newTokens()
	faulty := "Bearer " + known.add(errOfStore)
	login := access.NewAuthenticator(known, access.Limits{FailuresPerMinute: 1})

	for range 5 {
		if _, err := login.Login(t.Context(), faulty, "192.0.2.1"); !errors.Is(err, errOfStore) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestOperationsAreLimitedByToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		login := access.NewAuthenticator(newTokens(), access.Limits{OperationsPerSecond: 10, OperationBurst: 5})
		ops := access.Caller{Token: "ops", SiteID: 1}

		for range 5 {
			if err := login.Admit(ops); err != nil {
				t.Fatalf("an operation within the burst: %v", err)
			}
		}

		var denied *access.Denied
		if err := login.Admit(ops); !errors.As(err, &denied) || denied.Code != access.RateLimited ||
			denied.RetryAfter != 100*time.Millisecond {
			t.Errorf("an operation beyond the burst: %v, %+v", err, denied)
		}

		if err := login.Admit(access.Caller{Token: "ops", SiteID: 2}); err != nil {
			t.Errorf("a token of the same name on another site: %v", err)
		}

		<-time.After(100 * time.Millisecond)

		if err := login.Admit(ops); err != nil {
			t.Errorf("after the time that was told: %v", err)
		}
	})
}

func TestTheDefaultsLetAThousandOperationsASecondThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		login := access.NewAuthenticator(newTokens(), access.Limits{})
		admitted := func() int {
			for n := 0; ; n++ {
				if login.Admit(access.Caller{Token: "agent"}) != nil {
					return n
				}
			}
		}

		if n := admitted(); n != 5000 {
			t.Errorf("%d at once", n)
		}

		<-time.After(time.Second)

		if n := admitted(); n != 1000 {
			t.Errorf("%d after a second", n)
		}
	})
}

func TestALookUpThatTakesTooLongIsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := newTokens()
		valid := "Bearer " + known.add(nil)
		known.wait = time.Hour
		login := access.NewAuthenticator(known, access.Limits{LookupTime: 4 * time.Second})

		start := time.Now()

		_, err := login.Login(t.Context(), valid, "192.0.2.1")
		if !errors.Is(err, access.ErrAway) || time.Since(start) != 4*time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}

		gone, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()

		if _, err := login.Login(gone, valid, "192.0.2.1"); errors.Is(err, access.ErrAway) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller who has gone: %v", err)
		}
	})
}
