package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// The crowd's judge must find what it is there for.
func TestARecordThatIsNotTheLogIsFound(t *testing.T) {
	t.Parallel()

	all := wishes()
	every, notes := all[0], all[3]
	known := newHistory(all)

	for i := range 10 {
		kind := "CommandChange"
		if i%2 == 1 {
			kind = "NoteChange"
		}

		if err := known.add(json.RawMessage(fmt.Sprintf(`{"__typename":%q,"cursor":"c%d"}`, kind, i))); err != nil {
			t.Fatal(err)
		}
	}

	whole := known.of[every].sums

	for name, record := range map[string][]sum{
		"lost":         slices.Concat(whole[3:5], whole[6:]),
		"lost first":   whole[4:],
		"doubled":      slices.Concat(whole[3:5], whole[4:]),
		"doubled last": slices.Concat(whole[3:], whole[9:]),
		"swapped":      {whole[3], whole[5], whole[4]},
		"another":      {whole[3], sumOf([]byte("another")), whole[5]},
	} {
		if known.compare(every, "c2", record) == nil {
			t.Errorf("an event that was %s is not found", name)
		}
	}

	for name, err := range map[string]error{
		"all":              known.compare(every, "c2", whole[3:]),
		"some so far":      known.compare(every, "c2", whole[3:6]),
		"from now on":      known.compare(every, "", whole[5:8]),
		"nothing so far":   known.compare(every, "", nil),
		"one kind":         known.compare(notes, "c2", known.of[notes].sums[1:]),
		"one kind, at one": known.compare(notes, "c3", known.of[notes].sums[2:]),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	if known.has(every, whole[7], "c8") || !known.has(every, whole[8], "c8") || !known.has(notes, known.of[notes].sums[3], "c8") {
		t.Error("who has read up to a position is told wrongly")
	}
}
