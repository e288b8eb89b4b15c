package graphqlhttp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// dataEntry tells whether an answer has data: one to a request that was not carried out must not have it, not even null.
type dataEntry bool

const (
	withData    dataEntry = true
	withoutData dataEntry = false
)

// write sends the answer whole, so that it has a length and no client takes a torn one for the truth.
func (t Transport) write(w http.ResponseWriter, status int, format format, answer *graphql.Response, data dataEntry) {
	body, err := encode(answer, data)
	if err != nil {
		// Errors and extensions hold what JSON can hold; a resolver that breaks this is a fault to be seen.
		panic(err)
	}

	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(t.AnswerTime))

	header := w.Header()
	header.Set("Content-Type", string(format)+"; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)

	// A caller who has gone away is told nothing.
	_, _ = w.Write(body) //nolint:gosec // it is JSON, and said to be; no browser takes it for a page
}

// encode puts the answer together by hand: json.Marshal would read through all of the data once more.
func encode(answer *graphql.Response, data dataEntry) ([]byte, error) {
	var body bytes.Buffer

	body.Grow(len(answer.Data) + 64) // the frame around the data
	body.WriteByte('{')

	if len(answer.Errors) > 0 {
		if err := entry(&body, "errors", answer.Errors); err != nil {
			return nil, err
		}
	}

	if data == withData {
		value := answer.Data
		if len(value) == 0 {
			value = json.RawMessage("null")
		}

		name(&body, "data")
		body.Write(value)
	}

	if len(answer.Extensions) > 0 {
		if err := entry(&body, "extensions", answer.Extensions); err != nil {
			return nil, err
		}
	}

	body.WriteByte('}')

	return body.Bytes(), nil
}

func entry(body *bytes.Buffer, of string, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err //nolint:wrapcheck // the one who panics with it says where
	}

	name(body, of)
	body.Write(encoded)

	return nil
}

func name(body *bytes.Buffer, of string) {
	if body.Len() > 1 {
		body.WriteByte(',')
	}

	body.WriteString(`"` + of + `":`)
}
