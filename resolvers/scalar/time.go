package scalar

import (
	"regexp"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// written has whole microseconds, as the database keeps them, so that a time that was read can be sent back and equals.
const written = "2006-01-02T15:04:05.000000Z"

// rfc3339 is stricter than time.Parse, which takes a comma for the point and hours of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`)

// MarshalTime writes an instant in UTC.
func MarshalTime(at time.Time) graphql.Marshaler {
	return graphql.MarshalString(at.UTC().Format(written))
}

// UnmarshalTime takes RFC 3339 with a zone and gives UTC.
func UnmarshalTime(value any) (time.Time, error) {
	text, ok := value.(string)
	if !ok {
		return time.Time{}, wrong("a time (RFC 3339 with a zone)", value)
	}

	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !rfc3339.MatchString(text) {
		return time.Time{}, refuse("%.40q is no time: RFC 3339 with a zone was due, such as 2026-01-31T09:30:00Z", text)
	}

	return at.UTC(), nil
}
