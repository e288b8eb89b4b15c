package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// seen is what the machine saw of the hub and holds it to later, where the model cannot know it.
type seen struct {
	start queue.Cursor
	log   []*event
	// versions are the site's after each step, noteAt and issueAt the times of steps that wrote notes and issues.
	versions map[int]int64
	noteAt   map[int]time.Time
	issueAt  map[int]time.Time
	// finished is when each command ended, dedupe the key of each retry chain.
	finished map[queue.CommandID]time.Time
	dedupe   map[queue.CommandID]string
}

func newSeen(start queue.Cursor) seen {
	return seen{
		start: start, versions: map[int]int64{}, noteAt: map[int]time.Time{}, issueAt: map[int]time.Time{},
		finished: map[queue.CommandID]time.Time{}, dedupe: map[queue.CommandID]string{},
	}
}

// compare holds the tables and what is new in the log against the model, after each step.
func (m *machine) compare() {
	read := m.read()
	m.seen.versions[m.model.Step] = read.site.Version

	m.compareSite(read.site)
	m.compareCommands(read)

	if got, want := read.batches, m.batchRows(); !slices.Equal(got, want) {
		m.fatal("batches\n%+v, where the model says\n%+v", got, want)
	}

	m.compareEvents(read)

	if m.mirrored {
		m.compareMirror()
	}
}

func (m *machine) compareSite(site siteRow) {
	var (
		pace   queue.Pace
		inHand queue.CommandID
	)

	m.must(json.Unmarshal([]byte(site.Pace), &pace), "read the pace")
	m.samePace(&pace)

	if pace.Paused != (pace.PausedAt != nil) {
		m.fatal("paused %v at %v", pace.Paused, pace.PausedAt)
	}

	if c := m.model.InHand(); c != nil {
		inHand = c.ID
	}

	if site.Counts != m.model.SiteCounts() || site.InHand != inHand || site.Failures != m.model.Failures {
		m.fatal("site %+v, where the model says counts %s, in hand %d, failures %d", site, m.model.SiteCounts(), inHand, m.model.Failures)
	}

	for _, c := range m.model.Ordered() {
		if c.Status == queue.Queued && c.Waiting() == 0 && c.ID < site.ReadyFrom {
			m.fatal("command %d is ready, and a claim looks from %d on", c.ID, site.ReadyFrom)
		}
	}
}

func (m *machine) compareCommands(read tables) {
	got := make([]Row, 0, len(read.commands))
	want := make([]Row, 0, len(m.model.Commands))
	claimed := 0

	for _, row := range read.commands {
		got = append(got, row.Row)

		if row.Status == queue.Claimed {
			claimed++
		}

		if row.EndedAt != nil {
			if at, ended := m.seen.finished[row.ID]; ended && !at.Equal(*row.EndedAt) {
				m.fatal("command %d ended at %s and at %s", row.ID, at, row.EndedAt)
			}

			m.seen.finished[row.ID] = *row.EndedAt
		}

		for chain, key := range m.seen.dedupe {
			if (chain == row.Chain) != (key == row.DedupeKey) {
				m.fatal("command %d of chain %d has dedupe key %s, chain %d has %s", row.ID, row.Chain, row.DedupeKey, chain, key)
			}
		}

		m.seen.dedupe[row.Chain] = row.DedupeKey
	}

	for _, c := range m.model.Ordered() {
		want = append(want, c.Row())
	}

	m.sameRows(got, want)

	if claimed > 1 {
		m.fatal("%d commands are claimed", claimed)
	}
}

func (m *machine) sameRows(got, want []Row) {
	if slices.Equal(got, want) {
		return
	}

	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			m.fatal("command\n%+v, where the model says\n%+v", got[i], want[i])
		}
	}

	m.fatal("%d commands, where the model has %d", len(got), len(want))
}

func (m *machine) batchRows() []BatchRow {
	rows := make([]BatchRow, 0, len(m.model.Batches))
	for _, id := range slices.Sorted(maps.Keys(m.model.Batches)) {
		rows = append(rows, m.model.Row(m.model.Batches[id]))
	}

	return rows
}

// compareEvents holds what a step added to the log against what the model told: the same entries, in any order, each
// with the next number.
func (m *machine) compareEvents(read tables) {
	var got []Entry

	for _, e := range read.events {
		if e.Seq != int64(len(m.seen.log)+1) {
			m.fatal("event %d comes after %d", e.Seq, len(m.seen.log))
		}

		e.readBody()
		m.seen.log = append(m.seen.log, e)

		if e.Kind != queue.EventAgent && e.Cause != queue.CauseProgress {
			got = append(got, e.Entry)
		}

		m.tallyEvent(e)
	}

	if read.site.Head != int64(len(m.seen.log)) {
		m.fatal("the log ends with %d, and its head is %d", len(m.seen.log), read.site.Head)
	}

	want := slices.Clone(m.model.Told)

	byText := func(a, b Entry) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(got, byText)
	slices.SortFunc(want, byText)

	if !slices.Equal(got, want) {
		m.fatal("events\n%+v, where the model says\n%+v", got, want)
	}
}
