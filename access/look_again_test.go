package access_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
)

func TestLookingAgainErrsAsALoginDoes(t *testing.T) {
	known := newTokens()
	valid := known.add(nil)
	expired, revoked := known.add(access.ErrExpired), known.add(access.ErrRevoked)
	away := known.add(errors.New("connection refused"))
	login := access.NewAuthenticator(known, access.Limits{})

	for name, tried := range map[string]struct {
		authorization string
		want          error
	}{
		"still valid": {"Bearer " + valid, nil},
		"expired":     {"Bearer " + expired, access.ErrExpired},
		"revoked":     {"Bearer " + revoked, access.ErrRevoked},
		"unknown":     {"Bearer " + access.NewToken(), access.ErrUnknown},
		"nothing":     {"", access.ErrNoToken},
		"no token":    {"Bearer x", access.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			if err := login.LookAgain(t.Context(), tried.authorization); !errors.Is(err, tried.want) {
				t.Errorf("got %v, not %v", err, tried.want)
			}
		})
	}

	err := login.LookAgain(t.Context(), "Bearer "+away)
	if _, denied := errors.AsType[*access.Denied](err); err == nil || denied {
		t.Errorf("where the database is away nobody is denied: %v", err)
	}
}

func TestLookingAgainIsNoFailedLogin(t *testing.T) {
	known := newTokens()
	ended := known.add(access.ErrRevoked)
	login := access.NewAuthenticator(known, access.Limits{FailuresPerMinute: 1})

	for range 5 {
		if err := login.LookAgain(t.Context(), "Bearer "+ended); !errors.Is(err, access.ErrRevoked) {
			t.Fatal(err)
		}
	}

	// The one failure that the address has is still there, and then no more.
	if _, err := login.Login(t.Context(), "Bearer "+ended, "192.0.2.1"); !errors.Is(err, access.ErrRevoked) {
		t.Error(err)
	}

	_, err := login.Login(t.Context(), "Bearer "+ended, "192.0.2.1")
	if denied, ok := errors.AsType[*access.Denied](err); !ok || denied.Code != access.RateLimited {
		t.Error(err)
	}
}

func TestLookingAgainWaitsNoLongerThanALogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := newTokens()
		valid := known.add(nil)
		known.wait = time.Hour
		login := access.NewAuthenticator(known, access.Limits{LookupTime: 4 * time.Second})
		began := time.Now()

		if err := login.LookAgain(t.Context(), "Bearer "+valid); !errors.Is(err, access.ErrAway) || time.Since(began) != 4*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}
