package db

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// withToken makes a token on the site main and gives its hash.
func withToken(t *testing.T, d *DB, token NewToken) [32]byte {
	t.Helper()

	token.Hash = access.Hash(access.NewToken())
	if token.Site == "" {
		token.Site = "main"
	}

	if err := d.CreateToken(t.Context(), token); err != nil {
		t.Fatal(err)
	}

	return token.Hash
}

func TestLookupTellsWhoATokenSpeaksFor(t *testing.T) {
	d := migrated(t)
	main, other := filledSite(t, d, "main"), filledSite(t, d, "other")
	hour := time.Hour
	operator := withToken(t, d, NewToken{Name: "ann", Role: access.Operator})
	agent := withToken(t, d, NewToken{Site: "other", Name: "agent", Role: access.Agent, Lifetime: &hour})

	if caller, err := d.Lookup(t.Context(), operator); err != nil ||
		caller != (access.Caller{Token: "ann", Role: access.Operator, SiteID: int64(main.site), Site: "main"}) {
		t.Errorf("%+v, %v", caller, err)
	}

	caller, err := d.Lookup(t.Context(), agent)
	if err != nil || caller.SiteID != int64(other.site) || caller.Role != access.Agent {
		t.Errorf("%+v, %v", caller, err)
	}

	if left := time.Until(caller.Expires); left < 59*time.Minute || left > time.Hour || caller.Expires.Location() != time.UTC {
		t.Errorf("expires in %s", left)
	}

	if _, err := d.Lookup(t.Context(), access.Hash("else")); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}

	run(t, d, "UPDATE tokens SET expires_at = clock_timestamp() WHERE name = 'agent'")

	if _, err := d.Lookup(t.Context(), agent); !errors.Is(err, access.ErrExpired) {
		t.Errorf("expired: %v", err)
	}

	for _, name := range []string{"agent", "ann"} {
		if err := d.RevokeToken(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}

	for _, hash := range [][32]byte{operator, agent} {
		var denied *access.Denied
		if _, err := d.Lookup(t.Context(), hash); !errors.Is(err, access.ErrRevoked) || !errors.As(err, &denied) {
			t.Errorf("revoked: %v", err)
		}
	}
}

func TestLastUseIsNotedOnceAMinute(t *testing.T) {
	d := migrated(t)
	filledSite(t, d, "main")

	hash := withToken(t, d, NewToken{Name: "ann", Role: access.Viewer})
	lastUse := func() *time.Time {
		t.Helper()

		tokens, err := d.Tokens(t.Context())
		if err != nil || len(tokens) != 1 {
			t.Fatalf("%v, %v", tokens, err)
		}

		return tokens[0].LastUsedAt
	}
	look := func() {
		t.Helper()

		if _, err := d.Lookup(t.Context(), hash); err != nil {
			t.Fatal(err)
		}
	}

	if lastUse() != nil {
		t.Fatal("used before it was")
	}

	look()

	first := lastUse()
	if first == nil {
		t.Fatal("the first use was not noted")
	}

	look()

	if again := lastUse(); !again.Equal(*first) {
		t.Errorf("noted again after %s", again.Sub(*first))
	}

	run(t, d, "UPDATE tokens SET last_used_at = clock_timestamp() - interval '61 seconds'")
	look()

	if later := lastUse(); !later.After(*first) {
		t.Errorf("not noted after a minute: %s", later)
	}
}

func TestLookupDoesNotWaitForAnothersNote(t *testing.T) {
	d := migrated(t)
	filledSite(t, d, "main")
	hash := withToken(t, d, NewToken{Name: "ann", Role: access.Viewer})

	tx, err := d.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()

	if _, err := tx.Exec(t.Context(), "SELECT FROM tokens FOR UPDATE"); err != nil {
		t.Fatal(err)
	}

	if caller, err := d.Lookup(t.Context(), hash); err != nil || caller.Token != "ann" {
		t.Errorf("%+v, %v", caller, err)
	}
}

func TestATokensNameIsTakenUntilItIsRevoked(t *testing.T) {
	d := migrated(t)
	filledSite(t, d, "main")
	filledSite(t, d, "other")
	withToken(t, d, NewToken{Name: "ann", Role: access.Viewer})
	run(t, d, "UPDATE tokens SET expires_at = clock_timestamp()")

	for _, site := range []string{"main", "other"} {
		err := d.CreateToken(t.Context(), NewToken{Site: site, Name: "ann", Role: access.Viewer, Hash: access.Hash("new")})
		if queue.CodeOf(err) != queue.Conflict || !strings.Contains(err.Error(), "revoke it") {
			t.Errorf("taken on %s: %v", site, err)
		}
	}

	if err := d.RevokeToken(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}

	if err := d.RevokeToken(t.Context(), "ann"); queue.CodeOf(err) != queue.NotFound || !strings.Contains(err.Error(), `"ann"`) {
		t.Errorf("revoked twice: %v", err)
	}

	withToken(t, d, NewToken{Name: "ann", Role: access.Admin})

	tokens, err := d.Tokens(t.Context())
	if err != nil || len(tokens) != 2 || tokens[0].RevokedAt == nil || tokens[1].RevokedAt != nil {
		t.Fatalf("%+v, %v", tokens, err)
	}

	old := tokens[0]
	if old.Name != "ann" || old.Site != "main" || old.Role != access.Viewer || old.ExpiresAt == nil || old.CreatedAt.IsZero() {
		t.Errorf("%+v", old)
	}
}

func TestATokenThatCannotBeIsRefused(t *testing.T) {
	d := migrated(t)
	filledSite(t, d, "main")

	none := time.Duration(0)
	for _, token := range []NewToken{
		{Name: ""},
		{Name: " "},
		{Name: "a "},
		{Name: "a\tb"},
		{Name: "a\x00"},
		{Name: "\xff"},
		{Name: strings.Repeat("a", 101)},
		{Name: "king", Role: "king"},
		{Name: "late", Lifetime: &none},
	} {
		token.Site = "main"
		if token.Role == "" {
			token.Role = access.Viewer
		}

		unprocessable(t, token.Name, d.CreateToken(t.Context(), token))
	}

	for _, site := range []string{"", "else", "\x00"} {
		err := d.CreateToken(t.Context(), NewToken{Site: site, Name: "ann", Role: access.Viewer})
		if queue.CodeOf(err) != queue.NotFound {
			t.Errorf("site %q: %v", site, err)
		}
	}

	if err := d.RevokeToken(t.Context(), "\x00"); queue.CodeOf(err) != queue.NotFound {
		t.Errorf("%v", err)
	}
}

func TestExactlyOneOfManyStartingHubsIsGivenTheFirstTokens(t *testing.T) {
	url := migratedURL(t)

	var (
		group  sync.WaitGroup
		tokens = make([]*FirstTokens, 5)
		failed = make([]error, 5)
	)

	for i := range tokens {
		d := opened(t, url)

		group.Go(func() { tokens[i], failed[i] = d.EnsureFirstTokens(t.Context()) })
	}

	group.Wait()

	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}

	var given *FirstTokens

	for _, made := range tokens {
		if made != nil && given != nil {
			t.Fatal("two were given tokens")
		}

		if made != nil {
			given = made
		}
	}

	if given == nil {
		t.Fatal("nobody was given tokens")
	}

	d := opened(t, url)

	for text, want := range map[string]access.Role{given.Operator: access.Operator, given.Agent: access.Agent} {
		if caller, err := d.Lookup(t.Context(), access.Hash(text)); err != nil || caller.Role != want || caller.Site != FirstSite {
			t.Errorf("%+v, %v", caller, err)
		}
	}
}

func TestADatabaseThatEverHadATokenIsGivenNone(t *testing.T) {
	d := migrated(t)
	filledSite(t, d, "other")
	withToken(t, d, NewToken{Site: "other", Name: "ann", Role: access.Viewer})

	if err := d.RevokeToken(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}

	if made, err := d.EnsureFirstTokens(t.Context()); err != nil || made != nil {
		t.Errorf("%v, %v", made, err)
	}
}

func TestTheFirstTokensGoToASiteThatIsThereAlready(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, FirstSite)

	made, err := d.EnsureFirstTokens(t.Context())
	if err != nil || made == nil {
		t.Fatalf("%v, %v", made, err)
	}

	if caller, err := d.Lookup(t.Context(), access.Hash(made.Agent)); err != nil || caller.SiteID != int64(f.site) {
		t.Errorf("%+v, %v", caller, err)
	}
}
