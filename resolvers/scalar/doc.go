// Package scalar reads and writes the scalars of the contract. It is stricter than gqlgen: a number is never a text,
// nor a text a number. What it refuses is BAD_REQUEST; a cursor that is none is UNPROCESSABLE.
package scalar
