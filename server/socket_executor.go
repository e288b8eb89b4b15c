package server

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// socketExecutor is the executor behind a websocket: it counts each operation, and sees to it that a refused one is
// answered by an error message of the protocol, as presented. gqlgen's transport does so for its own two codes alone.
type socketExecutor struct {
	graphql.GraphExecutor

	login *socketLogin
}

// CreateOperationContext counts the operation, has the token looked up again and creates the operation's context.
func (e socketExecutor) CreateOperationContext(
	ctx context.Context, params *graphql.RawParams,
) (*graphql.OperationContext, gqlerror.List) {
	caller, _ := access.From(ctx)

	err := e.login.login.Admit(caller)
	if err == nil {
		err = e.login.check(ctx)
	}

	if err != nil {
		return &graphql.OperationContext{}, gqlerror.List{asProtocolError(err)}
	}

	operation, problems := e.GraphExecutor.CreateOperationContext(ctx, params)
	for i, problem := range problems {
		problems[i] = asProtocolError(problem)
	}

	return operation, problems
}

// DispatchError presents the errors as they were before asProtocolError.
func (e socketExecutor) DispatchError(ctx context.Context, problems gqlerror.List) *graphql.Response {
	meant := make(gqlerror.List, len(problems))
	for i, problem := range problems {
		meant[i] = gqlerror.WrapIfUnwrapped(errors.Unwrap(problem))
	}

	return e.GraphExecutor.DispatchError(ctx, meant)
}

func asProtocolError(err error) *gqlerror.Error {
	marked := gqlerror.Wrap(err)
	errcode.Set(marked, errcode.ValidationFailed)

	return marked
}
