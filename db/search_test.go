package db

import "testing"

func TestATextIsLookedForByTrigramsWhereItHasSome(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a": false, "ab": false, "abc": true, "Жук": true, "жу": false, "12": false, "1-": false, "12-": true,
		"-1": true, "a b": true, "%": false, "___": false, `\\`: false, "? ?": false, "ab_": true, "a_": false, "_a": true,
	} {
		if got := indexable(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestASignInATextStandsForItself(t *testing.T) {
	for text, want := range map[string]string{`50%_\`: `%50\%\_\\%`, "Ж'": "%ж'%", "": "%%"} {
		if got := containing(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}

	for text, want := range map[string]string{"a.": `a\.`, `\`: `\\`, "Ж(": `Ж\(`, "1 2": `1\ 2`, "é": "é"} {
		if got := literally(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestWhatCannotBeStoredIsKnown(t *testing.T) {
	for text, want := range map[string]bool{"": true, "Ж": true, "a\x00": false, "\xff": false, "\uFFFD": true} {
		if got := storable("plain", text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
