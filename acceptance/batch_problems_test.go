package acceptance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// emoji is one character of two UTF-16 units.
const emoji = "😀"

type refusedBatch struct {
	name    string
	entries []vars
	want    []problem
}

// TestBatchProblems submits what the table of problems refuses, row by row, and
// sees that nothing was created.
func TestBatchProblems(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	before := site.Queue(t).Cursor
	for _, table := range [][]refusedBatch{
		malformedKeys(), temporaryKeyProblems(), requiredTexts(), longTexts(), malformedValues(),
	} {
		for _, row := range table {
			t.Run(row.name, func(t *testing.T) { refusedWith(t, site, row.entries, row.want...) })
		}
	}
	t.Run("a refused batch leaves nothing behind", func(t *testing.T) {
		queue := site.Queue(t)
		same(t, "counts", queue.Counts, hubtest.Counts{})
		same(t, "cursor", queue.Cursor, before)
	})
}

func one(entry vars) []vars { return []vars{entry} }

func at(place, field, code string) []problem { return []problem{{place, field, code}} }

func malformedKeys() []refusedBatch {
	keys := []string{
		"AURORA", "AURORA-", "-15", "AURORA 15", "AURORA-15 ", "AURORA-1.5", "AURORA-x", "AUR/ORA-15",
		"new:0", "new:01", "new:-1", "new:", "new:1x", "new: 1", "New:1", "new:1.0",
	}
	rows := each(keys, func(key string) refusedBatch {
		return refusedBatch{"KEY_MALFORMED " + key, one(hubtest.Comment(key, "Готово")), at("0", "key", "KEY_MALFORMED")}
	})
	return append(rows, []refusedBatch{
		{"KEY_MALFORMED of a status", one(hubtest.Status("oops", "Done")), at("0", "key", "KEY_MALFORMED")},
		{"KEY_MALFORMED of a source", one(hubtest.LinkTo("oops", "AURORA-1")), at("0", "source", "KEY_MALFORMED")},
		{"KEY_MALFORMED of a target", one(hubtest.LinkTo("AURORA-1", "oops")), at("0", "target", "KEY_MALFORMED")},
		{"KEY_MALFORMED of a sprint", one(hubtest.Sprint("oops", nil)), at("0", "key", "KEY_MALFORMED")},
		{"KEY_MALFORMED of fields", one(hubtest.Fields("oops", vars{"summary": "a"})), at("0", "key", "KEY_MALFORMED")},
		{"KEY_MALFORMED of a parent", one(hubtest.Creation("new:1", "parent", "oops")), at("0", "parent", "KEY_MALFORMED")},
		{"KEY_MALFORMED of an epic", one(hubtest.Creation("new:1", "epic", "oops")), at("0", "epic", "KEY_MALFORMED")},
		{"KEY_MALFORMED of a refresh", one(hubtest.Refresh("AURORA-1", "oops")), at("0", "keys", "KEY_MALFORMED")},
	}...)
}

func temporaryKeyProblems() []refusedBatch {
	inField := func(value any) []vars { return one(hubtest.Fields("AURORA-1", vars{"customfield_1": value})) }
	return []refusedBatch{
		{"TEMP_KEY_UNKNOWN", one(hubtest.Comment("new:1", "a")), at("0", "key", "TEMP_KEY_UNKNOWN")},
		{
			"TEMP_KEY_UNKNOWN beside another",
			[]vars{hubtest.Creation("new:1"), hubtest.LinkTo("new:1", "new:2")},
			at("1", "target", "TEMP_KEY_UNKNOWN"),
		},
		{"TEMP_KEY_UNKNOWN in a refresh", one(hubtest.Refresh("new:1")), at("0", "keys", "TEMP_KEY_UNKNOWN")},
		{"TEMP_KEY_UNKNOWN of a parent", one(hubtest.Creation("new:1", "parent", "new:2")), at("0", "parent", "TEMP_KEY_UNKNOWN")},
		{"TEMP_KEY_UNKNOWN as a whole field", inField("new:1"), at("0", "fields", "TEMP_KEY_UNKNOWN")},
		{"TEMP_KEY_UNKNOWN as an item of a list", inField([]any{"a", "new:1"}), at("0", "fields", "TEMP_KEY_UNKNOWN")},
		{"TEMP_KEY_UNKNOWN as an object's key", inField(vars{"key": "new:1"}), at("0", "fields", "TEMP_KEY_UNKNOWN")},
		{
			"TEMP_KEY_UNKNOWN in a creation's field", one(hubtest.Creation("new:1", "fields", vars{"customfield_1": "new:2"})),
			at("0", "fields", "TEMP_KEY_UNKNOWN"),
		},
		{
			"TEMP_KEY_REPEATED",
			[]vars{hubtest.Creation("new:1"), hubtest.Creation("new:2"), hubtest.Creation("new:1")},
			at("2", "tempKey", "TEMP_KEY_REPEATED"),
		},
	}
}

func requiredTexts() []refusedBatch {
	return []refusedBatch{
		{"REQUIRED project", one(hubtest.Creation("new:1", "project", "")), at("0", "project", "REQUIRED")},
		{"REQUIRED issueType", one(hubtest.Creation("new:1", "issueType", " ")), at("0", "issueType", "REQUIRED")},
		{"REQUIRED summary", one(hubtest.Creation("new:1", "summary", " \t ")), at("0", "summary", "REQUIRED")},
		{"REQUIRED a field", one(hubtest.Fields("AURORA-1", vars{})), at("0", "fields", "REQUIRED")},
		{"REQUIRED path", one(hubtest.Status("AURORA-1")), at("0", "path", "REQUIRED")},
		{"REQUIRED type", one(hubtest.LinkTo("AURORA-1", "AURORA-2", "type", "")), at("0", "type", "REQUIRED")},
		{"REQUIRED sprint, not given at all", one(hubtest.Sprint("AURORA-1", hubtest.Absent{})), at("0", "sprint", "REQUIRED")},
		{"REQUIRED body", one(hubtest.Comment("AURORA-1", "\n ")), at("0", "body", "REQUIRED")},
	}
}

func longTexts() []refusedBatch {
	long := strings.Repeat("a", 32768)
	tooLong := func(name string, entry vars, field string) refusedBatch {
		return refusedBatch{"TOO_LONG " + name, one(entry), at("0", field, "TOO_LONG")}
	}
	n256 := strings.Repeat("a", 256)
	return []refusedBatch{
		tooLong("summary", hubtest.Creation("new:1", "summary", n256), "summary"),
		tooLong("summary of 128 emoji", hubtest.Creation("new:1", "summary", strings.Repeat(emoji, 128)), "summary"),
		tooLong("project", hubtest.Creation("new:1", "project", n256), "project"),
		tooLong("issueType", hubtest.Creation("new:1", "issueType", n256), "issueType"),
		tooLong("description", hubtest.Creation("new:1", "description", long), "description"),
		tooLong("description of 16,384 emoji", hubtest.Creation("new:1", "description", strings.Repeat(emoji, 16384)), "description"),
		tooLong("a creation's field", hubtest.Creation("new:1", "fields", vars{"customfield_1": long}), "fields"),
		tooLong("a field", hubtest.Fields("AURORA-1", vars{"customfield_1": long}), "fields"),
		tooLong("a field's item", hubtest.Fields("AURORA-1", vars{"customfield_1": []any{long}}), "fields"),
		tooLong("a field's object", hubtest.Fields("AURORA-1", vars{"customfield_1": vars{"value": long}}), "fields"),
		tooLong("summary among the fields", hubtest.Fields("AURORA-1", vars{"summary": n256}), "fields"),
		tooLong("description among the fields", hubtest.Fields("AURORA-1", vars{"description": long}), "fields"),
		tooLong("status", hubtest.Status("AURORA-1", "Open", n256), "path"),
		tooLong("type", hubtest.LinkTo("AURORA-1", "AURORA-2", "type", n256), "type"),
		tooLong("sprint", hubtest.Sprint("AURORA-1", n256), "sprint"),
		tooLong("body", hubtest.Comment("AURORA-1", long), "body"),
		tooLong("JQL", hubtest.Query(strings.Repeat("a", 8001)), "jql"),
		tooLong("JQL of 4,001 emoji", hubtest.Query(strings.Repeat(emoji, 4001)), "jql"),
	}
}

func malformedValues() []refusedBatch {
	malformed := func(name string, entry vars, field string) refusedBatch {
		return refusedBatch{"MALFORMED " + name, one(entry), at("0", field, "MALFORMED")}
	}
	rows := each([]string{"AURORA-1", "new:0", "new:01", "1", "new:x"}, func(key string) refusedBatch {
		return malformed("temporary key "+key, hubtest.Creation(key), "tempKey")
	})
	return append(rows, []refusedBatch{
		malformed("summary with a line feed", hubtest.Creation("new:1", "summary", "a\nb"), "summary"),
		malformed("summary with a carriage return", hubtest.Creation("new:1", "summary", "a\rb"), "summary"),
		malformed("summary with a NUL", hubtest.Creation("new:1", "summary", "a\x00b"), "summary"),
		malformed("description with a NUL", hubtest.Creation("new:1", "description", "a\x00b"), "description"),
		malformed("body with a NUL", hubtest.Comment("AURORA-1", "a\x00b"), "body"),
		malformed("field with a NUL", hubtest.Fields("AURORA-1", vars{"customfield_1": "a\x00b"}), "fields"),
		malformed("item with a NUL", hubtest.Fields("AURORA-1", vars{"customfield_1": []any{"a\x00b"}}), "fields"),
		malformed("field's name with a NUL", hubtest.Fields("AURORA-1", vars{"a\x00b": 1}), "fields"),
		malformed("status with a NUL", hubtest.Status("AURORA-1", "a\x00b"), "path"),
		malformed("sprint with a NUL", hubtest.Sprint("AURORA-1", "a\x00b"), "sprint"),
		malformed("type with a NUL", hubtest.LinkTo("AURORA-1", "AURORA-2", "type", "a\x00b"), "type"),
		malformed("JQL with a NUL", hubtest.Query("a\x00b"), "jql"),
		malformed("number beyond a double", hubtest.Fields("AURORA-1", vars{"customfield_1": json.Number("1e400")}), "fields"),
		malformed("number beyond a double in a creation",
			hubtest.Creation("new:1", "fields", vars{"customfield_1": []any{json.Number("-1e131073")}}), "fields"),
	}...)
}
