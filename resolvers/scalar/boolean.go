package scalar

import "github.com/99designs/gqlgen/graphql"

// MarshalBoolean writes true or false.
func MarshalBoolean(truth bool) graphql.Marshaler { return graphql.MarshalBoolean(truth) }

// UnmarshalBoolean takes true and false alone.
func UnmarshalBoolean(value any) (bool, error) {
	truth, ok := value.(bool)
	if !ok {
		return false, wrong("true or false", value)
	}

	return truth, nil
}
