package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
)

// blind asks for nothing that could tell where its reader is.
const blind = `subscription ($after: Cursor) { logAppended(after: $after) { __typename } }`

func eventIDs(t testing.TB, stream *hubtest.Events, count int) []string {
	t.Helper()
	seen := []string{}
	for range count {
		seen = append(seen, stream.Next(t).ID)
	}
	return seen
}

func TestTheIDOfAnEventIsItsPositionAlsoWhereNobodyAskedForIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	busy(t, site)
	want := positions(t, site, after)
	stream := site.Operator.Stream(t, blind, vars{"after": after}, "")
	same(t, "ids", eventIDs(t, stream, len(want)), want)
	last := want[len(want)-1]
	busy(t, site)
	want = positions(t, site, last)
	same(t, "ids of what came live", eventIDs(t, stream, len(want)), want)
}

func TestAReaderOfAStreamResumesAtItsLastEvent(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	after := site.Queue(t).Cursor
	busy(t, site)
	want := positions(t, site, after)
	seen, last := []string{}, ""
	for len(seen) < len(want) {
		// The operation's own position is where the reader began; a browser sends it again each time.
		stream := site.Operator.Stream(t, blind, vars{"after": after}, last)
		seen = append(seen, eventIDs(t, stream, min(3, len(want)-len(seen)))...)
		last = seen[len(seen)-1]
		stream.Leave()
	}
	same(t, "ids", seen, want)
}

func TestAReaderOfAStreamResumesAtAnotherHub(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	one, other := start(t, database), start(t, database)
	site := one.NewSite(t)
	after := site.Queue(t).Cursor
	stream := site.Operator.Stream(t, blind, vars{"after": after}, "")
	site.SetNote(t, "AURORA-1", "a")
	last := stream.Next(t).ID
	site.SetNote(t, "AURORA-1", "b")
	if err := one.Stop(); err != nil {
		t.Fatal(err)
	}
	for event := stream.Next(t); event != (hubtest.SentEvent{}); event = stream.Next(t) {
		if event.Type != "next" {
			t.Fatalf("the stream ended with %v", event)
		}
	}
	again := site.On(other).Operator.Stream(t, blind, vars{"after": after}, last)
	same(t, "ids", eventIDs(t, again, 1), positions(t, site.On(other), last))
}

func TestAStateBeginsAnewWhateverWasLastSeen(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	stream := site.Operator.Stream(t, `subscription { queueChanged { __typename } }`, nil, site.Queue(t).Cursor)
	if event := stream.Next(t); event.ID != site.Queue(t).Cursor || !strings.Contains(event.Data, "QueueChange") {
		t.Errorf("got %v", event)
	}
}

func TestALastEventThatIsNoPositionAnyMoreIsRefused(t *testing.T) {
	t.Parallel()
	site, other := hub.NewSite(t), hub.NewSite(t)
	site.SetNote(t, "AURORA-1", "a")
	other.SetNote(t, "AURORA-1", "a")
	for last, code := range map[string]string{"made up": "UNPROCESSABLE", other.Queue(t).Cursor: "CURSOR_EXPIRED"} {
		stream := site.Operator.Stream(t, blind, nil, last)
		if event := stream.Next(t); event.Type != "next" || event.ID != "" || !strings.Contains(event.Data, `"code":"`+code+`"`) {
			t.Errorf("after %s: got %v", last, event)
		}
		same(t, "the end", []hubtest.SentEvent{stream.Next(t), stream.Next(t)}, []hubtest.SentEvent{{Type: "complete"}, {}})
	}
}
