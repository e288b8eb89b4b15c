package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/access"
)

// operationLog writes a line an operation at debug: its kind and name, who asked, and how long its first answer took.
// Neither the document nor the variables are written, for they can hold anything.
type operationLog struct{ log *slog.Logger }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationInterceptor
} = operationLog{}

// ExtensionName is how gqlgen calls this extension.
func (operationLog) ExtensionName() string { return "OperationLog" }

// Validate has nothing to ask of the schema.
func (operationLog) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation writes the line once the first answer is there.
func (o operationLog) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if !o.log.Enabled(ctx, slog.LevelDebug) {
		return next(ctx)
	}

	start := time.Now()
	answers := next(ctx)
	written := false

	return func(ctx context.Context) *graphql.Response {
		answer := answers(ctx)

		if !written {
			written = true

			o.write(ctx, answer, time.Since(start))
		}

		return answer
	}
}

func (o operationLog) write(ctx context.Context, answer *graphql.Response, took time.Duration) {
	operation := graphql.GetOperationContext(ctx)
	caller, _ := access.From(ctx)

	errors := 0
	if answer != nil {
		errors = len(answer.Errors)
	}

	o.log.DebugContext(ctx, "operation",
		"kind", operation.Operation.Operation, "name", operation.Operation.Name, "errors", errors, "took", took,
		"site", caller.Site, "token", caller.Token, "role", caller.Role, "request", access.RequestID(ctx))
}
