package ws

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
)

// The types of messages.
const (
	typeInit      = "connection_init"
	typeAck       = "connection_ack"
	typePing      = "ping"
	typePong      = "pong"
	typeSubscribe = "subscribe"
	typeNext      = "next"
	typeError     = "error"
	typeComplete  = "complete"
)

// message is one of a client's.
type message struct {
	kind string
	// id is there with subscribe and complete.
	id string
	// payload is an object, or nil where there is none.
	payload json.RawMessage
}

// readMessage reads a message, or says how the connection is to be closed for it.
func readMessage(raw []byte, mends bool) (message, *Close) {
	if !utf8.Valid(raw) {
		if !mends {
			return message{}, invalid("the message is not valid UTF-8")
		}

		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}

	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return message{}, invalid("a message must be a JSON object")
	}

	read := message{payload: fields["payload"]}
	if !isString(fields["type"], &read.kind) {
		return message{}, invalid("a message must have a type")
	}

	switch read.kind {
	case typeInit, typePing, typePong, typeComplete:
	case typeSubscribe:
		if read.payload == nil {
			return message{}, invalid("%s must have a payload", read.kind)
		}
	default:
		return message{}, invalid("%.40q is no type of a message that a client may send", read.kind)
	}

	if read.kind == typeSubscribe || read.kind == typeComplete {
		if !isString(fields["id"], &read.id) || read.id == "" {
			return message{}, invalid("%s must have an id", read.kind)
		}
	}

	if read.payload != nil && read.payload[0] != '{' {
		return message{}, invalid("the payload of %s must be an object", read.kind)
	}

	return read, nil
}

// readParams reads the payload of a subscribe.
func readParams(payload json.RawMessage) (*graphql.RawParams, *Close) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(payload, &fields); err != nil {
		return nil, invalid("the payload of %s must be an object", typeSubscribe)
	}

	params := &graphql.RawParams{}

	if !isString(fields["query"], &params.Query) || params.Query == "" {
		return nil, invalid("the payload of %s must have a query", typeSubscribe)
	}

	if name := fields["operationName"]; !isNull(name) && !isString(name, &params.OperationName) {
		return nil, invalid("operationName must be a string")
	}

	for name, into := range map[string]*map[string]any{"variables": &params.Variables, "extensions": &params.Extensions} {
		if !isNull(fields[name]) && !isObject(fields[name], into) {
			return nil, invalid("%s must be an object", name)
		}
	}

	return params, nil
}

// authorizationOf finds the token in the payload of a connection_init; "" where there is none.
func authorizationOf(payload json.RawMessage) string {
	var fields map[string]json.RawMessage

	_ = json.Unmarshal(payload, &fields) // it is an object or nothing

	for _, name := range []string{"authorization", "Authorization"} {
		var found string
		if isString(fields[name], &found) {
			return found
		}
	}

	return ""
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || value[0] == 'n' }

func isString(value json.RawMessage, into *string) bool {
	return len(value) > 0 && value[0] == '"' && json.Unmarshal(value, into) == nil
}

// isObject keeps numbers as they were written, so that none is rounded.
func isObject(value json.RawMessage, into *map[string]any) bool {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()

	return value[0] == '{' && decoder.Decode(into) == nil
}

// head is what every message about an operation begins with.
func head(id, kind string) string {
	quoted, err := json.Marshal(id)
	if err != nil {
		panic(err) // a string can always be written
	}

	return `{"id":` + string(quoted) + `,"type":"` + kind + `"`
}
