package scalar

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// wrong is the error for a value of another kind than the one that is due.
func wrong(due string, value any) error {
	return refuse("%s was due, not %s", due, kindOf(value))
}

func refuse(format string, args ...any) error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf(format, args...),
		Extensions: map[string]any{"code": "BAD_REQUEST", "status": http.StatusBadRequest},
	}
}

// kindOf names what a value is, as it came from JSON or from a literal of the document.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "a boolean"
	case json.Number, int, int64, float64:
		return fmt.Sprintf("the number %.40s", fmt.Sprint(value))
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("a %T", value)
	}
}
