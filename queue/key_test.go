package queue

import (
	"strings"
	"testing"
)

func TestParseKey(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]Key{
		"AURORA-1537": "AURORA-1537", "aurora-1": "AURORA-1", "A_B2-9": "A_B2-9", "A-B-7": "A-B-7", "new:1": "new:1",
		"new:60": "new:60", "A-12345678901234567890": "A-12345678901234567890",
	} {
		if got, ok := ParseKey(text); !ok || got != want {
			t.Errorf("ParseKey(%q) = %q, %v", text, got, ok)
		}
	}

	for _, text := range []string{
		"", " A-1", "A-1 ", "A1", "-1", "1-1", "A-", "A-0", "A-01", "A-1x", "new:", "new:0", "new:01", "NEW:1", "new:-1", "new:1 ", "ſ-1",
		"А-1", "A-1\n", "A--1", "_A-1", "A-" + strings.Repeat("1", maxKey),
	} {
		if got, ok := ParseKey(text); ok {
			t.Errorf("ParseKey(%q) = %q, and is no key", text, got)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"AURORA-1537", "new:60", "a_b-1", "new:0", "ſ-1", ""} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, text string) {
		key, ok := ParseKey(text)
		if !ok {
			return
		}

		if again, ok := ParseKey(string(key)); !ok || again != key {
			t.Errorf("%q gave %q, which gives %q", text, key, again)
		}

		if key.Temp() == (key.Project() != "") {
			t.Errorf("%q is both temporary and of a project, or neither", key)
		}
	})
}

func FuzzParseCursor(f *testing.F) {
	f.Add(Cursor{}.String())
	f.Add(Cursor{Seq: 7, Mark: -1}.String())
	f.Add("AAAA")

	f.Fuzz(func(t *testing.T, text string) {
		cursor, err := ParseCursor(text)
		if err != nil {
			if CodeOf(err) != Unprocessable {
				t.Errorf("%q: %v", text, err)
			}

			return
		}

		if again, err := ParseCursor(cursor.String()); err != nil || again != cursor {
			t.Errorf("%q is %v, whose text is %v, %v", text, cursor, again, err)
		}
	})
}
