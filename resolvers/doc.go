// Package resolvers is where GraphQL and the domain meet: inputs become what the verbs of queue take, and what they
// give becomes what the schema promises. No rule is decided here.
package resolvers
