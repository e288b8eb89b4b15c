// Package operation decides which GraphQL operations are carried out: it parses and validates the document once,
// bounds what it may ask for, and holds the variables to their types more strictly than gqlgen does. It is plugged
// into gqlgen's executor, so that every transport is held to the same.
package operation

// Limits bound one operation. A zero field means its default.
type Limits struct {
	// Tokens a document has at most; values belong into variables. 15,000.
	Tokens int
	// Depth of fields in fields. GraphiQL's introspection needs 15. 20.
	Depth int
	// RootFields an operation has at most, fragments counted where they are spread. 50.
	RootFields int
	// Aliases an operation has at most, fragments counted where they are spread. 50.
	Aliases int
	// Fields all operations of a document have at most, fragments counted where they are spread. 2,000.
	Fields int
	// Definitions, operations and fragments, a document has at most. 250.
	Definitions int
	// Cost is gqlgen's complexity, with what lists multiply. 200,000.
	Cost int
	// Introspection is how many fields an answer about the schema has, estimated. GraphiQL's own has some 50,000.
	// 250,000.
	Introspection int
	// ValueDepth is how deep lists and objects nest in a value of the document or the variables. 100.
	ValueDepth int
}

// The defaults of Limits.
const (
	defaultTokens        = 15_000
	defaultDepth         = 20
	defaultRootFields    = 50
	defaultAliases       = 50
	defaultFields        = 2_000
	defaultDefinitions   = 250
	defaultCost          = 200_000
	defaultIntrospection = 250_000
	defaultValueDepth    = 100
)

// OrDefaults fills in the defaults.
func (l Limits) OrDefaults() Limits {
	for _, limit := range []struct {
		value    *int
		fallback int
	}{
		{&l.Tokens, defaultTokens},
		{&l.Depth, defaultDepth},
		{&l.RootFields, defaultRootFields},
		{&l.Aliases, defaultAliases},
		{&l.Fields, defaultFields},
		{&l.Definitions, defaultDefinitions},
		{&l.Cost, defaultCost},
		{&l.Introspection, defaultIntrospection},
		{&l.ValueDepth, defaultValueDepth},
	} {
		if *limit.value == 0 {
			*limit.value = limit.fallback
		}
	}

	return l
}
