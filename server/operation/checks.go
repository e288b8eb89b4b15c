package operation

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// Checks is the extension that checks each operation before the executor takes it up.
type Checks struct {
	schema    graphql.ExecutableSchema
	limits    Limits
	documents *documents
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = (*Checks)(nil)

// Install puts the checks before everything else that the executor is to do.
func Install(exec *executor.Executor, schema graphql.ExecutableSchema, limits Limits) {
	limits = limits.OrDefaults()

	exec.Use(&Checks{schema: schema, limits: limits, documents: newDocuments(schema.Schema(), limits)})
	exec.SetQueryCache(justRead{})
}

// ExtensionName is how gqlgen calls this extension.
func (c *Checks) ExtensionName() string { return "Checks" }

// Validate has nothing to ask of the schema.
func (c *Checks) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters reads the document, bounds it, and holds the variables to their types. What it finds wrong
// is BAD_REQUEST or TOO_COMPLEX.
func (c *Checks) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	read, err := c.documents.read(ctx, params.Query)
	if err != nil || read == nil {
		return err
	}

	asked, err := operationNamed(read.query, params.OperationName)
	if err != nil {
		return err
	}

	if depth := depthOf(params.Variables); depth > c.limits.ValueDepth {
		return refusal.TooComplex("the variables nest %d levels deep; at most %d are allowed", depth, c.limits.ValueDepth)
	}

	checking := variables{schema: c.schema.Schema()}
	if err := checking.check(asked, read.neverNull[asked], params.Variables); err != nil {
		return err
	}

	graphql.GetOperationContext(ctx).Doc = read.query

	return nil
}

// MutateOperationContext bounds the cost, now that the variables are known, and sees to it that they leave a
// subscription its one field.
func (c *Checks) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	if operation.Operation.Operation == ast.Subscription {
		streams := graphql.CollectFields(operation, operation.Operation.SelectionSet, []string{"Subscription"})
		if len(streams) != 1 {
			return refusal.BadRequest("a subscription has exactly one field; with its @skip and @include this one has %d", len(streams))
		}
	}

	cost := complexity.Calculate(ctx, c.schema, operation.Operation, operation.Variables)
	if cost > c.limits.Cost {
		return refusal.TooComplex(
			"the operation costs %d; at most %d is allowed: ask for fewer fields, or fewer items at once", cost, c.limits.Cost)
	}

	return nil
}

// operationNamed finds the operation of that name; without a name, the only one.
func operationNamed(query *ast.QueryDocument, name string) (*ast.OperationDefinition, *gqlerror.Error) {
	if name == "" && len(query.Operations) > 1 {
		return nil, refusal.BadRequest("the document has %d operations; name one in operationName", len(query.Operations))
	}

	if found := query.Operations.ForName(name); found != nil {
		return found, nil
	}

	return nil, refusal.BadRequest("the document has no operation named %s", fmt.Sprintf("%.60q", name))
}
