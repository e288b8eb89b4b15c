package operation

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// document is one that was found proper: parsed, validated and within the limits.
type document struct {
	query *ast.QueryDocument
	// neverNull holds, for each operation, the variables that may not be null whatever their declaration says.
	neverNull map[*ast.OperationDefinition]map[string]bool
}

// A parsed document takes a hundred times its text, so few are kept and no long ones: a client has a handful of
// operations, and long texts are values written out, which never come twice.
const (
	keptDocuments  = 256
	keptLength     = 8 << 10
	tokensExceeded = "exceeded token limit"
	nestsTooDeep   = "exceeded maximum nesting depth"
)

// documents reads documents, and keeps those that it has read.
type documents struct {
	schema *ast.Schema
	limits Limits
	kept   *lru.LRU[*document]
}

func newDocuments(schema *ast.Schema, limits Limits) *documents {
	return &documents{schema: schema, limits: limits, kept: lru.New[*document](keptDocuments)}
}

// read gives the document, or the first thing that is wrong with it. A document that does not pass the validation
// gives neither: gqlgen's executor validates it again and tells everything.
func (d *documents) read(ctx context.Context, text string) (*document, *gqlerror.Error) {
	if known, ok := d.kept.Get(ctx, text); ok {
		return known, nil
	}

	query, err := d.parse(text)
	if err != nil {
		return nil, err
	}

	// Before the validation, some rules of which compare every field with every other, and read every number.
	if err := d.limits.checkShape(query); err != nil {
		return nil, err
	}

	if _, err := d.readValues(query); err != nil {
		return nil, err
	}

	if problems := validator.ValidateWithRules(d.schema, query, rules.NewDefaultRules()); len(problems) > 0 {
		return nil, nil
	}

	proper, err := d.inspect(query)
	if err != nil {
		return nil, err
	}

	if len(text) <= keptLength {
		d.kept.Add(ctx, text, proper)
	}

	return proper, nil
}

// inspect looks at what only the validation brings to light.
func (d *documents) inspect(query *ast.QueryDocument) (*document, *gqlerror.Error) {
	if err := d.limits.checkIntrospection(d.schema, query); err != nil {
		return nil, err
	}

	neverNull, err := d.readValues(query)
	if err != nil {
		return nil, err
	}

	return &document{query: query, neverNull: neverNull}, nil
}

func (d *documents) readValues(query *ast.QueryDocument) (map[*ast.OperationDefinition]map[string]bool, *gqlerror.Error) {
	neverNull := make(map[*ast.OperationDefinition]map[string]bool)

	for _, operation := range query.Operations {
		names, err := d.limits.readValues(query, operation)
		if err != nil {
			return nil, err
		}

		neverNull[operation] = names
	}

	return neverNull, nil
}

func (d *documents) parse(text string) (*ast.QueryDocument, *gqlerror.Error) {
	query, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, d.limits.Tokens)
	if err == nil && len(query.Operations) == 0 {
		return nil, refusal.BadRequest("the document has no operation")
	}

	if err == nil {
		return query, nil
	}

	// The parser names neither of its limits but in words; a test notices when they change.
	switch message := err.Error(); {
	case strings.Contains(message, tokensExceeded):
		return nil, refusal.TooComplex(
			"the document has more than %d tokens; give long values in variables", d.limits.Tokens)
	case strings.Contains(message, nestsTooDeep):
		return nil, refusal.TooComplex("the document nests too deep")
	}

	problem := refusal.BadRequest("the document cannot be read: %s", err)
	if located := gqlerror.WrapIfUnwrapped(err); located != nil {
		problem = refusal.BadRequest("the document cannot be read: %s", located.Message)
		problem.Locations = located.Locations
	}

	return nil, problem
}

// justRead is gqlgen's cache of documents: it has the one that Checks has read for this very operation, and so spares
// the executor the parsing and the validation.
type justRead struct{}

var _ graphql.Cache[*ast.QueryDocument] = justRead{}

func (justRead) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	read := graphql.GetOperationContext(ctx).Doc

	return read, read != nil
}

func (justRead) Add(context.Context, string, *ast.QueryDocument) {}
