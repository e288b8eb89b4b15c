package graphqlhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// The names of a request's parameters.
const (
	queryName      = "query"
	operationName  = "operationName"
	variablesName  = "variables"
	extensionsName = "extensions"
)

// paramsOfBody reads the parameters from a JSON body. Names count to the letter; unknown ones are passed over, as the
// specification asks; of a name that comes twice, the last counts.
func paramsOfBody(body []byte, deepest int) (*graphql.RawParams, *gqlerror.Error) {
	if !utf8.Valid(body) {
		return nil, refusal.BadRequest("the body is not valid UTF-8")
	}

	if err := checkIsObject(body); err != nil {
		return nil, err
	}

	if jsonDepth(body) > deepest {
		return nil, refusal.TooComplex("the body nests more than %d levels deep", deepest)
	}

	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		return nil, notJSON("the body", err)
	}

	return paramsOf(given)
}

func checkIsObject(body []byte) *gqlerror.Error {
	trimmed := bytes.TrimLeft(body, " \t\r\n")

	switch {
	case len(trimmed) == 0:
		return refusal.BadRequest(`the body is empty: send a JSON object with "query"`)
	case trimmed[0] == '[':
		return refusal.BadRequest("the body is a list: one request has one operation, so send a JSON object")
	case trimmed[0] != '{':
		return refusal.BadRequest(`the body must be a JSON object with "query"`)
	default:
		return nil
	}
}

// paramsOfURL reads the parameters from the query of an address.
func paramsOfURL(raw string, deepest int) (*graphql.RawParams, *gqlerror.Error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refusal.BadRequest("the address cannot be read: its query is malformed")
	}

	given := make(map[string]json.RawMessage)

	for _, name := range []string{queryName, operationName, variablesName, extensionsName} {
		texts := values[name]

		switch {
		case len(texts) > 1:
			return nil, refusal.BadRequest("%q is given %d times", name, len(texts))
		case len(texts) == 0 || texts[0] == "":
			continue
		case !utf8.ValidString(texts[0]):
			return nil, refusal.BadRequest("%q is not valid UTF-8", name)
		}

		text, problem := parameterOfURL(name, texts[0], deepest)
		if problem != nil {
			return nil, problem
		}

		given[name] = text
	}

	return paramsOf(given)
}

// parameterOfURL gives a parameter as it would stand in a body: in an address, texts are bare and the rest is JSON.
func parameterOfURL(name, text string, deepest int) (json.RawMessage, *gqlerror.Error) {
	if name == queryName || name == operationName {
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, refusal.BadRequest("%q cannot be read", name)
		}

		return quoted, nil
	}

	if jsonDepth([]byte(text)) > deepest {
		return nil, refusal.TooComplex("%q nests more than %d levels deep", name, deepest)
	}

	return json.RawMessage(text), nil
}

func paramsOf(given map[string]json.RawMessage) (*graphql.RawParams, *gqlerror.Error) {
	var params graphql.RawParams

	for _, parameter := range []struct {
		name string
		into any
		want string
	}{
		{queryName, &params.Query, "a text"},
		{operationName, &params.OperationName, "a text"},
		{variablesName, &params.Variables, "an object"},
		{extensionsName, &params.Extensions, "an object"},
	} {
		if err := decode(parameter.name, given[parameter.name], parameter.into, parameter.want); err != nil {
			return nil, err
		}
	}

	if params.Query == "" {
		return nil, refusal.BadRequest(`"query" is missing: it holds the GraphQL document`)
	}

	return &params, nil
}

// decode reads one parameter; null is as good as absent. Numbers are kept as they were written, so that none is rounded.
func decode(name string, text json.RawMessage, into any, want string) *gqlerror.Error {
	if len(text) == 0 {
		return nil
	}

	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()

	err := decoder.Decode(into)

	var wrongType *json.UnmarshalTypeError

	switch {
	case errors.As(err, &wrongType):
		return refusal.BadRequest("%q must be %s, and is a JSON %s", name, want, wrongType.Value)
	case err != nil:
		return notJSON(`"`+name+`"`, err)
	case decoder.More():
		return refusal.BadRequest("%q has something after its JSON value", name)
	default:
		return nil
	}
}

func notJSON(what string, err error) *gqlerror.Error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return refusal.BadRequest("%s is not JSON: %s, at byte %d", what, syntax.Error(), syntax.Offset)
	}

	return refusal.BadRequest("%s is not JSON: %s", what, err)
}

// jsonDepth is how deep lists and objects nest in a text that may be JSON. It looks before anything is built of it.
func jsonDepth(text []byte) int {
	depth, deepest, inString := 0, 0, false

	for i := 0; i < len(text); i++ {
		switch character := text[i]; {
		case inString && character == '\\':
			i++
		case character == '"':
			inString = !inString
		case inString:
		case character == '{' || character == '[':
			depth++
			deepest = max(deepest, depth)
		case character == '}' || character == ']':
			depth--
		}
	}

	return deepest
}
