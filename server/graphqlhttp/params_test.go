package graphqlhttp

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestTheParametersOfABodyAreRead(t *testing.T) {
	params, err := paramsOfBody([]byte(`
		{"query": "{ a }", "operationName": "A", "variables": {"n": 12345678901234567890.5}, "extensions": {"e": 1}, "other": []}`), 100)
	if err != nil {
		t.Fatal(err)
	}

	if params.Query != "{ a }" || params.OperationName != "A" || params.Extensions["e"] != json.Number("1") {
		t.Errorf("got %+v", params)
	}

	if params.Variables["n"] != json.Number("12345678901234567890.5") {
		t.Errorf("a number was rounded: %v", params.Variables["n"])
	}
}

func TestNullIsAsGoodAsAbsent(t *testing.T) {
	params, err := paramsOfBody([]byte(`{"query": "{ a }", "operationName": null, "variables": null, "extensions": null}`), 100)
	if err != nil || params.OperationName != "" || params.Variables != nil || params.Extensions != nil {
		t.Errorf("got %+v, %v", params, err)
	}
}

func TestABodyThatIsNoRequestIsRefusedForItsReason(t *testing.T) {
	deep := func(levels int) string {
		return `{"query": "{ a }", "variables": {"v": ` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}}`
	}

	for name, refused := range map[string]struct{ body, code, message string }{
		"empty":   {"", "BAD_REQUEST", `the body is empty: send a JSON object with "query"`},
		"blank":   {" \n", "BAD_REQUEST", `the body is empty: send a JSON object with "query"`},
		"a list":  {`[{"query": "{ a }"}]`, "BAD_REQUEST", "the body is a list: one request has one operation, so send a JSON object"},
		"a text":  {`"{ a }"`, "BAD_REQUEST", `the body must be a JSON object with "query"`},
		"GraphQL": {`query { a }`, "BAD_REQUEST", `the body must be a JSON object with "query"`},
		"cut":     {`{ "not a JSON`, "BAD_REQUEST", "the body is not JSON: unexpected end of JSON input, at byte 13"},
		"a second value": {
			`{"query": "{ a }"} {}`, "BAD_REQUEST", "the body is not JSON: invalid character '{' after top-level value, at byte 20",
		},
		"invalid UTF-8":      {"{\"query\": \"{ a }\", \"variables\": {\"v\": \"\xff\"}}", "BAD_REQUEST", "the body is not valid UTF-8"},
		"no query":           {`{"notquery": "{ a }"}`, "BAD_REQUEST", `"query" is missing: it holds the GraphQL document`},
		"Query":              {`{"Query": "{ a }"}`, "BAD_REQUEST", `"query" is missing: it holds the GraphQL document`},
		"query null":         {`{"query": null}`, "BAD_REQUEST", `"query" is missing: it holds the GraphQL document`},
		"query a number":     {`{"query": 0}`, "BAD_REQUEST", `"query" must be a text, and is a JSON number`},
		"query an object":    {`{"query": {}}`, "BAD_REQUEST", `"query" must be a text, and is a JSON object`},
		"query false":        {`{"query": false}`, "BAD_REQUEST", `"query" must be a text, and is a JSON bool`},
		"operationName list": {`{"query": "{ a }", "operationName": []}`, "BAD_REQUEST", `"operationName" must be a text, and is a JSON array`},
		"variables text":     {`{"query": "{ a }", "variables": "{}"}`, "BAD_REQUEST", `"variables" must be an object, and is a JSON string`},
		"variables list":     {`{"query": "{ a }", "variables": []}`, "BAD_REQUEST", `"variables" must be an object, and is a JSON array`},
		"extensions number":  {`{"query": "{ a }", "extensions": 0}`, "BAD_REQUEST", `"extensions" must be an object, and is a JSON number`},
		"deep":               {deep(99), "TOO_COMPLEX", "the body nests more than 100 levels deep"},
		"brackets alone":     {`{"v":` + strings.Repeat("[", 1<<20), "TOO_COMPLEX", "the body nests more than 100 levels deep"},
	} {
		t.Run(name, func(t *testing.T) {
			params, err := paramsOfBody([]byte(refused.body), 100)
			if err == nil {
				t.Fatalf("taken as %+v", params)
			}

			if err.Extensions["code"] != refused.code || err.Message != refused.message {
				t.Errorf("got %v: %s", err.Extensions["code"], err.Message)
			}
		})
	}

	if _, err := paramsOfBody([]byte(deep(98)), 100); err != nil {
		t.Errorf("100 levels: %v", err)
	}
}

func TestTheParametersOfAnAddressAreRead(t *testing.T) {
	values := url.Values{
		"query": {"query A($k: String) { a }"}, "operationName": {"A"}, "variables": {`{"k": "ключ"}`}, "extensions": {""}, "x": {"1"},
	}

	params, err := paramsOfURL(values.Encode(), 100)
	if err != nil || params.Query != "query A($k: String) { a }" || params.OperationName != "A" || params.Variables["k"] != "ключ" {
		t.Errorf("got %+v, %v", params, err)
	}
}

func TestAnAddressThatIsNoRequestIsRefusedForItsReason(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                    `"query" is missing: it holds the GraphQL document`,
		"query=":                              `"query" is missing: it holds the GraphQL document`,
		"query=%zz":                           "the address cannot be read: its query is malformed",
		"query=a;b":                           "the address cannot be read: its query is malformed",
		"query=%7Ba%7D&query=%7Bb%7D":         `"query" is given 2 times`,
		"query=%ff":                           `"query" is not valid UTF-8`,
		"query=%7Ba%7D&variables=x":           `"variables" is not JSON: invalid character 'x' looking for beginning of value, at byte 1`,
		"query=%7Ba%7D&variables=5":           `"variables" must be an object, and is a JSON number`,
		"query=%7Ba%7D&variables=%7B%7D%7B":   `"variables" has something after its JSON value`,
		"query=%7Ba%7D&extensions=%22text%22": `"extensions" must be an object, and is a JSON string`,
	} {
		if params, err := paramsOfURL(raw, 100); err == nil || err.Message != want {
			t.Errorf("%s: got %+v, %v", raw, params, err)
		}
	}

	deep := "query=%7Ba%7D&variables=" + url.QueryEscape(`{"v":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`)
	if _, err := paramsOfURL(deep, 100); err == nil || err.Extensions["code"] != "TOO_COMPLEX" {
		t.Errorf("deep: %v", err)
	}
}

func TestBracketsInTextsDoNotNest(t *testing.T) {
	for text, want := range map[string]int{
		`{}`: 1, `{"a": [[]]}`: 3, `["[[[", "\"[[", "\\", []]`: 2, `"[["`: 0, `[] []`: 1, `]]][`: 0,
	} {
		if got := jsonDepth([]byte(text)); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}

func FuzzABodyIsReadOrRefused(f *testing.F) {
	for _, seed := range []string{
		`{"query": "{ a }"}`, `[`, `{"query": 0}`, "{\"query\":\"\xff\"}", `{"query":"{a}","variables":{"a":[1e999]}}`,
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, body []byte) {
		params, err := paramsOfBody(body, 100)
		if (params == nil) == (err == nil) {
			t.Fatalf("got %v and %v", params, err)
		}

		if err != nil {
			if code := fmt.Sprint(err.Extensions["code"]); code != "BAD_REQUEST" && code != "TOO_COMPLEX" {
				t.Fatalf("code %s", code)
			}

			return
		}

		if params.Query == "" || !json.Valid(body) {
			t.Fatalf("taken as %+v", params)
		}
	})
}
