package db

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestParamsComeBackAsTheyWere(t *testing.T) {
	text, parent, none := "a <b> & \"c\"\r\n\u2028 Ж", queue.Key("new:7"), ""

	for _, params := range []queue.Params{
		queue.EnsureIssue{
			TempKey: "new:1", Project: "A", IssueType: "Task", Summary: text, Description: &none, Parent: &parent, Epic: &parent,
			Fields: queue.Fields{
				"big": json.Number("12345678901234567890.10"), "exp": json.Number("1E+3"), "null": nil, "yes": true,
				"list": []any{"a", json.Number("1"), nil}, "object": map[string]any{"id": "10001"},
			},
		},
		queue.EnsureIssue{TempKey: "new:1", Fields: queue.Fields{}},
		queue.EnsureFields{Key: "A-1", Fields: queue.Fields{"summary": text}},
		queue.EnsureStatus{Key: "A-1", Path: []string{"Open", "Готово"}},
		queue.EnsureLink{Source: "A-1", Target: "new:1", Type: "Blocks", Exclusive: true},
		queue.EnsureSprint{Key: "A-1", Sprint: &text},
		queue.EnsureSprint{Key: "A-1"},
		queue.EnsureComment{Key: "A-1", Body: text},
		queue.Refresh{Keys: []queue.Key{"A-1"}, JQL: &text},
		queue.Refresh{Keys: []queue.Key{}},
	} {
		raw, err := encodeParams(params)
		if err != nil {
			t.Fatal(err)
		}

		if strings.Contains(string(raw), `\u003c`) {
			t.Errorf("escaped for a page that it is not on: %s", raw)
		}

		back, err := decodeParams(params.Kind(), raw)
		if err != nil || !reflect.DeepEqual(back, params) {
			t.Errorf("got  %#v, %v\nwant %#v", back, err, params)
		}
	}
}

func TestListsOfParamsAreNeverNil(t *testing.T) {
	for kind, want := range map[queue.Kind]queue.Params{
		queue.KindIssue:   queue.EnsureIssue{Fields: queue.Fields{}},
		queue.KindFields:  queue.EnsureFields{Fields: queue.Fields{}},
		queue.KindStatus:  queue.EnsureStatus{Path: []string{}},
		queue.KindRefresh: queue.Refresh{Keys: []queue.Key{}},
	} {
		if got, err := decodeParams(kind, []byte(`{}`)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v", kind, got, err)
		}
	}
}

func TestParamsThatAreNoneAreAnError(t *testing.T) {
	for kind, raw := range map[queue.Kind]string{
		"ensure_peace":    `{}`,
		queue.KindIssue:   `{"tempKey": 5}`,
		queue.KindComment: `{} {}`,
		queue.KindSprint:  ``,
		queue.KindLink:    `{`,
		queue.KindFields:  `[]`,
		queue.KindStatus:  `{"path": "x"}`,
		queue.KindRefresh: `nonsense`,
	} {
		if params, err := decodeParams(kind, []byte(raw)); err == nil {
			t.Errorf("%s from %s: %#v", kind, raw, params)
		}
	}
}
