package trial

import (
	"testing"
)

// revokeInUse revokes a token while it is used: from the moment that the command has ended on, it is nobody's.
func revokeInUse(t *testing.T, at setting, table *table) {
	t.Helper()

	token, err := at.token(t.Context(), "one", "operator", "short-lived")
	if err != nil {
		t.Error(err)

		return
	}

	short := newCaller("http://"+at.address, "short-lived", token)
	defer short.close()

	revoked := make(chan error, 1)

	go func() {
		_, err := at.succeed(t.Context(), "token", "revoke", "short-lived")
		revoked <- err
	}()

	call := func() string {
		code := codeOf(short.ask(t.Context(), queryQueue, nil, nil))
		table.add("queue", code)

		return code
	}

	code := codeOK
	for code == codeOK && len(revoked) == 0 {
		code = call()
	}

	if err := <-revoked; err != nil {
		t.Error(err)
	}

	if after := call(); after != codeUnauthenticated || code != codeOK && code != codeUnauthenticated {
		t.Errorf("calls with a token were answered with %s while it was revoked, and with %s afterwards", code, after)
	}
}

// guessTokens tries tokens that nobody has until the address has failed too often. The others, who call from the same
// address with tokens that are somebody's, must not notice.
func guessTokens(t *testing.T, s *site, table *table) {
	t.Helper()

	const enough = 500

	for range enough {
		answer, err := s.operator.as(s.operator.token[1:]+"x").post(t.Context(), []byte(`{"query": "{ answer: viewer { name } }"}`))
		if err != nil {
			t.Error(err)

			return
		}

		code := codeOf(answer.read(nil))
		table.add("viewer", code)

		switch {
		case code == codeRateLimited && answer.Header.Get("Retry-After") == "":
			t.Error("RATE_LIMITED came without Retry-After")

			return
		case code == codeRateLimited:
			return
		case code != codeUnauthenticated:
			t.Errorf("a guessed token was answered with %s", code)

			return
		}
	}

	t.Errorf("%d guessed tokens from one address were never RATE_LIMITED", enough)
}
