package trial

import (
	"maps"
	"slices"
	"testing"
)

func everyVerbSucceeded(t *testing.T, table *table) {
	t.Helper()

	for _, v := range verbs() {
		if table.of(v.name, codeOK) == 0 {
			t.Errorf("%s never succeeded", v.name)
		}
	}
}

// everyRaceCame fails where something never came that two hundred clients at once have to bring about. What stands here
// besides is what calls of that kind meet with while others race.
func everyRaceCame(t *testing.T, table *table) {
	t.Helper()

	for _, race := range []struct{ verb, outcome, because string }{
		{"createBatch", codeConflict, "two use one client key for two contents at once"},
		{"createBatch", codeUnprocessable, "a batch is judged whole while others are written"},
		{"retryCommands", codeConflict, "two retry the same command, and only the newest of a chain can be"},
		{"retryCommands", codeUnprocessable, "the creation that a command waits for is not retried with it, or not known yet"},
		{"setNote", codeConflict, "another wrote the note after it was read"},
		{"report", codeConflict, "a command is reported before it was handed out"},
		{"report", codeUnprocessable, "an open creation is reported without its key"},
		{"report", codeNotFound, "another site's commands do not exist, however busy it is"},
		{"cancelCommands", codeNotFound, "likewise, and nothing else of the call is cancelled"},
		{"holdBatch", codeNotFound, "likewise"},
		{"log", codeCursorExpired, "another site's position is none of this log, though both grow"},
		{"log", codeUnprocessable, "a cursor that is none"},
		{"pushIssues", codeTooLarge, "a page that is too large is refused before the site is taken"},
		{"batches", codeTooComplex, "what asks for too much is refused before it is begun"},
		{"viewer", codeBadRequest, "what does not fit the schema is refused before that"},
		{"queue", codeUnauthenticated, "a token is revoked while it is used"},
		{"viewer", codeRateLimited, "an address guesses tokens while others log in from it"},
		{"claim", "EMPTY", "all that is left waits or is on hold, or a newer call of the instance came"},
		{"claim", "PAUSED", "the queue is paused between two claims"},
		{"claim", "OFF_HOURS", "the hours are over between two claims"},
		{"claim", "SEAT_TAKEN", "another instance claims while one has the seat"},
	} {
		if table.of(race.verb, race.outcome) == 0 {
			t.Errorf("%s was never %s: %s", race.verb, race.outcome, race.because)
		}
	}

	for _, v := range verbs() {
		if v.of != anybody && table.of(v.name, codeForbidden) == 0 {
			t.Errorf("%s was never %s: each role keeps to its own verbs", v.name, codeForbidden)
		}
	}

	for _, never := range []string{codeInternal, codeNone} {
		if n := table.ever(never); n > 0 {
			t.Errorf("%s came %d times", never, n)
		}
	}

	// The database was there all the time. What may be too long is the queue for a site, on a machine that is busy with
	// other things; a hub that refuses much more than that is broken.
	const oneIn = 10
	if n := table.ever(codeUnavailable); n > table.size()/oneIn {
		t.Errorf("%s came %d times", codeUnavailable, n)
	}

	for _, sight := range sights() {
		if table.sightings[sight] == 0 {
			t.Errorf("never: %s", sight)
		}
	}
}

// sights are what an answer's code does not tell, and every way in which a command changes.
func sights() []string {
	all := slices.Grow([]string{
		"a cancel found the command ended already",
		"a cancel left a claimed command alone",
		"a cancel skipped what waited",
		"a command was delivered again",
		"a push confirmed the claimed command",
		"a report came too late",
		"a command changed: submitted",
	}, len(steps()))

	for _, cause := range slices.Sorted(maps.Keys(steps())) {
		all = append(all, "a command changed: "+cause)
	}

	return all
}
