package queue

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
)

func decoded(t *testing.T, text string) any {
	t.Helper()

	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()

	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	return value
}

// wasOld is what is known of an issue that moved from OLD-1 to NEW-7.
func wasOld(key Key) Key { return presentBy(map[Key]Key{"OLD-1": "NEW-7"})(key) }

func TestFieldEquals(t *testing.T) {
	t.Parallel()

	for _, test := range []struct {
		rule, wanted, current string
		want                  bool
	}{
		{"texts to the letter", `"a"`, `"A"`, false},
		{"but for line ends", `"a\nb"`, `"a\r\nb"`, true},
		{"a lone carriage return is no line end", `"a\nb"`, `"a\rb"`, false},
		{"null and empty", `null`, `""`, true},
		{"empty list and null", `[]`, `null`, true},
		{"an empty text is no blank one", `""`, `" "`, false},
		{"zero is not empty", `0`, `null`, false},
		{"numbers by value", `1.0`, `1`, true},
		{"with exponents", `12e2`, `1200`, true},
		{"and tiny differences", `1.0000000000000000001`, `1`, false},
		{"large ones exactly", `12345678901234567890`, `12345678901234567891`, false},
		{"minus zero is zero", `-0.0`, `0`, true},
		{"the sign counts", `-1`, `1`, false},
		{"beyond a double", `1e999`, `10e998`, true},
		{"with any exponent", `0`, `0e99999999999999999999`, true},
		{"to the last", `1e99999999999999999999`, `1e99999999999999999998`, false},
		{"never a number and a text", `"1"`, `1`, false},
		{"nor the other way", `1`, `"1"`, false},
		{"never a number and a flag", `1`, `true`, false},
		{"flags", `true`, `true`, true},
		{"a text is an object by its name", `"High"`, `{"id":"1","name":"High"}`, true},
		{"by its value", `"Red"`, `{"id":"1","value":"Red"}`, true},
		{"by its key", `"A-1"`, `{"id":"1","key":"A-1"}`, true},
		{"by its account id", `"5b10"`, `{"accountId":"5b10"}`, true},
		{"not by its id", `"1"`, `{"id":"1","name":"High"}`, false},
		{"which is given as an object", `{"id":"1"}`, `{"id":"1","name":"High"}`, true},
		{"an object by the members asked for", `{"value":"a","child":{"value":"b"}}`, `{"id":"3","value":"a","child":{"value":"b"}}`, true},
		{"each of them", `{"value":"a","child":{"value":"c"}}`, `{"value":"a","child":{"value":"b"}}`, false},
		{"a name asked for as an object is a text", `{"name":"High"}`, `"High"`, true},
		{"a list is a set", `["b","a"]`, `["a","b"]`, true},
		{"in which once is enough", `["a","a"]`, `["a"]`, true},
		{"nothing more", `["a"]`, `["a","b"]`, false},
		{"nothing less", `["a","b"]`, `["a"]`, false},
		{"of objects by their names", `["x","y"]`, `[{"id":"2","name":"y"},{"id":"1","name":"x"}]`, true},
		{"all of them", `["x"]`, `[{"name":"y"},{"name":"x"}]`, false},
		{"a list is no single value", `["a"]`, `"a"`, false},
		{"a key by an old one of its issue", `"OLD-1"`, `"NEW-7"`, true},
		{"from either side", `"NEW-7"`, `"OLD-1"`, true},
		{"as the key of an object", `{"key":"OLD-1"}`, `{"id":"5","key":"NEW-7"}`, true},
		{"as a text for an object", `"OLD-1"`, `{"id":"5","key":"NEW-7"}`, true},
		{"as an object for a text", `{"key":"OLD-1"}`, `"NEW-7"`, true},
		{"as an item of a list", `["A-2","OLD-1"]`, `[{"key":"NEW-7"},"A-2"]`, true},
		{"not as a name", `{"name":"OLD-1"}`, `{"name":"NEW-7"}`, false},
		{"not a text for a name", `"OLD-1"`, `{"name":"NEW-7"}`, false},
		{"no other issue's", `"OLD-1"`, `"NEW-8"`, false},
	} {
		if got := newComparison(wasOld).equal(decoded(t, test.wanted), decoded(t, test.current)); got != test.want {
			t.Errorf("%s: wanted %s, current %s: %v", test.rule, test.wanted, test.current, got)
		}
	}
}

func FuzzFieldEqualsItself(f *testing.F) {
	for _, seed := range []string{`"a\r\nb"`, `[1,{"id":2}]`, `{"a":[]}`, `1e400`, `-0.00`, `null`} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, text string) {
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.UseNumber()

		var value any
		if decoder.Decode(&value) == nil && !newComparison(sameKey).equal(value, value) {
			t.Errorf("%s does not equal itself", text)
		}
	})
}

// list gives [0, 1, ... ] of that many numbers, backwards where wanted.
func list(from, count int, backwards bool) []any {
	items := make([]any, count)
	for i := range items {
		items[i] = json.Number(strconv.Itoa(from + i))
	}

	if backwards {
		slices.Reverse(items)
	}

	return items
}

func TestListsOfAnyLengthAreComparedAsSets(t *testing.T) {
	t.Parallel()

	if !newComparison(sameKey).equal(list(0, 100_000, false), list(0, 100_000, true)) {
		t.Error("100,000 numbers in another order are not equal")
	}

	if newComparison(sameKey).equal(list(0, 100_000, false), list(1, 100_000, true)) {
		t.Error("another number is equal")
	}
}

func TestNoValueKeepsTheSiteLockedForLong(t *testing.T) {
	t.Parallel()

	var wanted, current []any
	for i := range 200 {
		wanted = append(wanted, append(list(0, 200, false), map[string]any{"id": strconv.Itoa(i)}))
		current = append(current, append(list(0, 200, true), map[string]any{"id": strconv.Itoa(200 - i), "name": "x"}))
	}

	compare := newComparison(sameKey)

	for range 40 {
		compare.equal(wanted, current)
	}

	// The looks are what costs: no more of them than the bound, whatever is nested in what, but for the last list's.
	if compare.looks > 0 || compare.looks < -1_000_000 {
		t.Errorf("%d looks are left; the values were to need more than the bound, and not get them", compare.looks)
	}
}
