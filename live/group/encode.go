package group

import (
	"encoding/json"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// appendAnswer writes the answer as JSON. It copies the data, which gqlgen uses again for the next answer, and does not
// read through it once more, as json.Marshal would.
func appendAnswer(to []byte, answer *graphql.Response) ([]byte, error) {
	to = append(to, '{')

	if len(answer.Errors) > 0 {
		errs, err := json.Marshal(answer.Errors)
		if err != nil {
			return nil, fmt.Errorf("write the errors of an answer: %w", err)
		}

		to = append(append(append(to, `"errors":`...), errs...), ',')
	}

	to = append(append(to, `"data":`...), answer.Data...)

	if len(answer.Extensions) > 0 {
		extensions, err := json.Marshal(answer.Extensions)
		if err != nil {
			return nil, fmt.Errorf("write the extensions of an answer: %w", err)
		}

		to = append(append(to, `,"extensions":`...), extensions...)
	}

	return append(to, '}'), nil
}

// Encode writes the answer of an operation as JSON.
func Encode(answer *graphql.Response) ([]byte, error) { return appendAnswer(nil, answer) }
