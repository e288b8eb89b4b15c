package access_test

import (
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
)

func TestARoleIsReadInLowerCaseAlone(t *testing.T) {
	for _, role := range access.Roles() {
		if parsed, err := access.ParseRole(role.String()); err != nil || parsed != role {
			t.Errorf("%s was read as %q: %v", role, parsed, err)
		}
	}

	for _, text := range []string{"", "Viewer", "ADMIN", " agent", "root"} {
		if role, err := access.ParseRole(text); err == nil {
			t.Errorf("%q was read as %s", text, role)
		}
	}
}

func TestAnUnknownRoleIsAnsweredWithTheKnownOnes(t *testing.T) {
	var role access.Role

	err := role.UnmarshalText([]byte("owner"))
	if err == nil || err.Error() != `there is no role "owner": it is one of viewer, operator, agent, admin` {
		t.Errorf("got %v", err)
	}
}

func TestACallerIsFoundInTheContextItWasPutInto(t *testing.T) {
	if _, found := access.From(t.Context()); found {
		t.Error("a caller where none was put")
	}

	put := access.Caller{Token: "ops", Role: access.Operator, SiteID: 7, Site: "main"}
	if got, found := access.From(access.With(t.Context(), put)); !found || got != put {
		t.Errorf("got %+v, %t", got, found)
	}

	if !put.HasOneOf(access.Viewer, access.Operator) || put.HasOneOf(access.Admin) || put.HasOneOf() {
		t.Error("roles are not told apart")
	}
}

func TestARequestIDIsFoundInTheContextItWasPutInto(t *testing.T) {
	if id := access.RequestID(t.Context()); id != "" {
		t.Errorf("an id where none was put: %q", id)
	}

	if id := access.RequestID(access.WithRequestID(t.Context(), "abc")); id != "abc" {
		t.Errorf("got %q", id)
	}
}
