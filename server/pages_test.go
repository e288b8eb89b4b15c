package server_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestThePagesAreThereForWhoeverLooksAndMayDoNothingElsewhere(t *testing.T) {
	hub := startHub(t, nil)

	// Built or not, which is another package's to test: it is a page, and not an answer of GraphQL.
	page := hub.Get(t, "/graphiql", nil)
	policy := page.Header.Get("Content-Security-Policy")

	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || !strings.Contains(policy, "script-src 'self';") {
		t.Errorf("got %d, %v", page.Status, page.Header)
	}

	if page.Header.Get("X-Content-Type-Options") != "nosniff" || page.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("browsers may do more than is wanted: %v", page.Header)
	}

	if slashed := hub.Get(t, "/graphiql/", nil); slashed.Header.Get("Content-Security-Policy") != policy {
		t.Errorf("a slash at the end leads elsewhere: %d, %v", slashed.Status, slashed.Header)
	}

	if missing := hub.Get(t, "/assets/missing.js", nil); missing.Status != http.StatusNotFound {
		t.Errorf("got %d: %s", missing.Status, missing.Body)
	}

	if posted := hub.Do(t, http.MethodPost, "/graphiql", "{}", nil); posted.Status != http.StatusMethodNotAllowed {
		t.Errorf("got %d: %s", posted.Status, posted.Body)
	}
}
