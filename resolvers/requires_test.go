package resolvers_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/resolvers"
)

func TestAFieldIsForTheRolesThatItRequires(t *testing.T) {
	for _, required := range [][]access.Role{{access.Agent}, {access.Operator, access.Admin}, access.Roles(), nil} {
		for _, role := range access.Roles() {
			called := false
			next := func(context.Context) (any, error) {
				called = true

				return "answer", nil
			}
			caller := access.Caller{Role: role}

			answer, err := resolvers.Requires(access.With(t.Context(), caller), nil, next, required)
			if caller.HasOneOf(required...) {
				if err != nil || answer != "answer" {
					t.Errorf("%s where %v is required: %v, %v", role, required, answer, err)
				}

				continue
			}

			var denied *access.Denied
			if !errors.As(err, &denied) || denied.Code != access.Forbidden || called || answer != nil {
				t.Errorf("%s where %v is required: %v, %v; called: %t", role, required, answer, err, called)
			}
		}
	}
}

func TestAFieldIsForNobodyWhoIsNotLoggedIn(t *testing.T) {
	answer, err := resolvers.Requires(t.Context(), nil, func(context.Context) (any, error) {
		t.Error("the field was asked")

		return "answer", nil
	}, access.Roles())
	if !errors.Is(err, access.ErrNoToken) || answer != nil {
		t.Errorf("got %v, %v", answer, err)
	}
}

func TestADeniedRoleIsToldWhoseTheFieldIs(t *testing.T) {
	ctx := access.With(t.Context(), access.Caller{Role: access.Viewer})

	_, err := resolvers.Requires(ctx, nil, nil, []access.Role{access.Operator, access.Admin})
	if err == nil || err.Error() != "this is not for the role viewer; it is for operator, admin" {
		t.Errorf("got %v", err)
	}
}
