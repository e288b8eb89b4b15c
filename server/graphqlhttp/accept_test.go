package graphqlhttp

import (
	"net/http"
	"testing"
)

func TestTheFormatIsTheOneThatAcceptWeighsHighest(t *testing.T) {
	for accept, want := range map[string]format{
		"":                                  jsonFormat,
		" ":                                 jsonFormat,
		"*/*":                               jsonFormat,
		"application/*":                     jsonFormat,
		"application/json":                  jsonFormat,
		"application/json; charset=utf-8":   jsonFormat,
		"application/json;charset=UTF8":     jsonFormat,
		"application/graphql-response+json": graphqlFormat,
		"application/graphql-response+json; charset=utf-8":               graphqlFormat,
		"application/json, application/graphql-response+json":            graphqlFormat,
		"application/graphql-response+json, application/json;q=0.9":      graphqlFormat,
		"application/graphql-response+json;q=0.5, application/json;q=.9": jsonFormat,
		"*/*, application/graphql-response+json":                         graphqlFormat,
		"text/html, application/xhtml+xml, */*;q=0.8":                    jsonFormat,
		"TEXT/HTML, APPLICATION/JSON":                                    jsonFormat,
		"application/graphql-response+json;q=0, application/json":        jsonFormat,
		"nonsense;;, application/json":                                   jsonFormat,
		"text/event-stream":                                              streamFormat,
		"text/event-stream; charset=utf-8":                               streamFormat,
		"text/event-stream, */*":                                         streamFormat,
		"text/event-stream, multipart/mixed":                             streamFormat,
		"application/json;q=0.9, text/event-stream":                      streamFormat,
		"text/event-stream, application/json":                            jsonFormat,
		"text/event-stream;q=0.9, */*":                                   jsonFormat,
		"application/graphql-response+json, text/event-stream":           graphqlFormat,
	} {
		if got, ok := acceptedFormat(http.Header{"Accept": {accept}}); !ok || got != want {
			t.Errorf("%q: got %q, %t", accept, got, ok)
		}
	}

	for _, accept := range []string{
		"text/html", "application/json;q=0", "application/json; charset=utf-16", "application/json;q=much", "nonsense", "text/*",
		"text/event-stream;q=0",
	} {
		if got, ok := acceptedFormat(http.Header{"Accept": {accept}}); ok {
			t.Errorf("%q was answered with %s", accept, got)
		}
	}

	if got, ok := acceptedFormat(http.Header{}); !ok || got != jsonFormat {
		t.Errorf("without the header: %q, %t", got, ok)
	}

	several := http.Header{"Accept": {"text/html", "application/graphql-response+json"}}
	if got, ok := acceptedFormat(several); !ok || got != graphqlFormat {
		t.Errorf("in several headers: %q, %t", got, ok)
	}
}
