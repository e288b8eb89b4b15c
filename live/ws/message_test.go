package ws

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMessage sees to it that whatever a client sends is either read or refused with a reason.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"type":"connection_init","payload":{"authorization":"Bearer hub_x"}}`, `{"type":"ping"}`, `{"type":"pong","payload":{}}`,
		`{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"a":1e999,"b":[null]},"operationName":null,"extensions":{}}}`,
		`{"id":"\ud800","type":"complete"}`, `{"type":"subscribe","id":"1","payload":null}`, `[]`, ` `, "{\"type\":\"\xff\"}",
		`{"type":"ping","payload": 5 }`, `{"payload":{},"payload":1,"type":"ping"}`,
	} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, sent string) {
		for _, mends := range []bool{false, true} {
			read, wrong := readMessage([]byte(sent), mends)
			if wrong != nil {
				if wrong.Code != InvalidMessage || wrong.Reason == "" || len(wrong.frame()) > 125 || !utf8.Valid(wrong.frame()[2:]) {
					t.Errorf("refused with %d, %q", wrong.Code, wrong.Reason)
				}

				continue
			}

			if read.payload != nil && (read.payload[0] != '{' || !strings.HasSuffix(string(read.payload), "}")) {
				t.Errorf("a payload %q", read.payload)
			}

			_ = authorizationOf(read.payload)

			if read.kind != typeSubscribe {
				continue
			}

			if params, wrong := readParams(read.payload); (params == nil) == (wrong == nil) || params != nil && params.Query == "" {
				t.Errorf("%+v and %v", params, wrong)
			}

			_ = head(read.id, typeNext)
		}
	})
}
