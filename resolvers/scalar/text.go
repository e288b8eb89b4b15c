package scalar

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// MarshalString writes a text.
func MarshalString(text string) graphql.Marshaler { return graphql.MarshalString(text) }

// UnmarshalString takes texts alone.
func UnmarshalString(value any) (string, error) {
	text, ok := value.(string)
	if !ok {
		return "", wrong("a text", value)
	}

	return text, nil
}

// MarshalIssueKey writes a key as it is.
func MarshalIssueKey(key queue.Key) graphql.Marshaler { return graphql.MarshalString(string(key)) }

// UnmarshalIssueKey takes any text: whether it is a key the rules judge, so that all that is wrong is told at once.
func UnmarshalIssueKey(value any) (queue.Key, error) {
	text, ok := value.(string)
	if !ok {
		return "", wrong("an issue key", value)
	}

	return queue.Key(text), nil
}

// MarshalCursor writes a position in the log.
func MarshalCursor(cursor queue.Cursor) graphql.Marshaler {
	return graphql.MarshalString(cursor.String())
}

// UnmarshalCursor takes a cursor as MarshalCursor writes it; another text is UNPROCESSABLE.
func UnmarshalCursor(value any) (queue.Cursor, error) {
	text, ok := value.(string)
	if !ok {
		return queue.Cursor{}, wrong("a cursor", value)
	}

	return queue.ParseCursor(text)
}
