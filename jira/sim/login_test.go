package sim_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

// as makes a call with another login.
func (f *fixture) as(prepare func(r *http.Request), method, path string) reply {
	f.t.Helper()

	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, nil)
	if err != nil {
		f.t.Fatal(err)
	}

	prepare(r)

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}

	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()

	if err != nil {
		f.t.Fatal(err)
	}

	return reply{status: answer.StatusCode, header: answer.Header, body: body}
}

func basic(user, password string) func(*http.Request) {
	return func(r *http.Request) { r.SetBasicAuth(user, password) }
}

func bearer(token string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
}

func TestWhoIsNotLoggedInIsToldSo(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		nobody := func(*http.Request) {}
		if got := f.as(nobody, http.MethodGet, f.api+"/serverInfo"); got.status != http.StatusOK {
			t.Error("anyone may ask what this Jira is:", got.status)
		}

		bearerStatus := http.StatusOK
		if f.dialect == sim.Cloud {
			bearerStatus = http.StatusUnauthorized // where a token of an account is no bearer token
		}

		for _, try := range []struct {
			name   string
			login  func(*http.Request)
			status int
		}{
			{"nobody", nobody, http.StatusUnauthorized},
			{"wrong bearer", bearer("wrong"), http.StatusUnauthorized},
			{"bearer", bearer("sim-token"), bearerStatus},
			{"wrong basic", basic("agent", "wrong"), http.StatusUnauthorized},
		} {
			got := f.as(try.login, http.MethodGet, f.api+"/myself")
			if got.status != try.status || (got.status == http.StatusOK) != (got.header.Get("X-Seraph-Loginreason") == "OK") {
				t.Errorf("%s: %d %v", try.name, got.status, got.header)
			}
		}
	})
}

func TestTooManyWrongLoginsLockTheAccountOnDataCenter(t *testing.T) {
	t.Parallel()

	f := start(t, sim.Config{Dialect: sim.DataCenter})
	for range 3 {
		if got := f.as(basic("agent", "wrong"), http.MethodGet, "/rest/api/2/myself"); got.status != http.StatusUnauthorized {
			t.Error(got.status)
		}
	}

	locked := f.as(basic("agent", "sim-token"), http.MethodGet, "/rest/api/2/myself")
	if locked.status != http.StatusForbidden || !strings.HasPrefix(locked.header.Get("X-Authentication-Denied-Reason"), "CAPTCHA_CHALLENGE") {
		t.Errorf("%d %v", locked.status, locked.header)
	}

	f.Clear()
	f.get("/rest/api/2/myself")
}

func TestABrowserCannotBeLedAstray(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		user, token := f.Login()
		forged := func(r *http.Request) {
			r.SetBasicAuth(user, token)
			r.Header.Set("User-Agent", "Mozilla/5.0")
		}

		got := f.as(forged, http.MethodDelete, f.api+"/issueLink/1")
		if got.status != http.StatusForbidden || string(got.body) != "XSRF check failed" {
			t.Errorf("%d %s", got.status, got.body)
		}

		got = f.as(func(r *http.Request) { forged(r); r.Header.Set("X-Atlassian-Token", "no-check") }, http.MethodDelete, f.api+"/issueLink/1")
		if got.status != http.StatusNotFound {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}
