package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

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

// tables is what the raw tables show.
type tables struct {
	site     siteRow
	commands []commandRow
	batches  []BatchRow
	events   []*event
}

type siteRow struct {
	Version, Head     int64
	Counts            string
	InHand, ReadyFrom queue.CommandID
	Failures          int
	Pace              string
}

type commandRow struct {
	Row

	DedupeKey string
	EndedAt   *time.Time
}

// event is a row of the log.
type event struct {
	Entry

	Seq, Mark int64
	At        time.Time
	Body      *string
}

const (
	rawSite = `
SELECT st.version, st.head, array_to_string(st.counts, ','), st.in_hand, st.ready_from, st.failures_in_row, s.pace::text
FROM sites s JOIN site_states st ON st.site_id = s.id WHERE s.id = $1`
	rawCommands = `
SELECT id, batch_id, position, kind, coalesce(temp_key, ''), coalesce(retry_of, 0), chain, status,
	CASE status WHEN 'queued' THEN waiting ELSE 0 END, coalesce(error, ''), coalesce(result_key, ''), deliveries,
	coalesce(root_cause, 0), coalesce(progress_done, -1), coalesce(progress_total, -1), claimed_at IS NOT NULL,
	finished_at IS NOT NULL, dedupe_key::text, finished_at
FROM commands WHERE site_id = $1 ORDER BY id`
	rawBatches = `
SELECT b.id, coalesce(b.title, ''), b.author, b.held, b.finished_at IS NOT NULL, b.status, array_to_string(c.counts, ',')
FROM batches b JOIN batch_counts c ON c.site_id = b.site_id AND c.batch_id = b.id WHERE b.site_id = $1 ORDER BY b.id`
	rawEvents = `
SELECT kind, coalesce(actor, ''), coalesce(command_id, 0), coalesce(batch_id, 0), coalesce(from_status, ''),
	coalesce(to_status, ''), coalesce(cause, ''), coalesce(error, ''), coalesce(result_key, ''), coalesce(deliveries, 0),
	coalesce(root_cause, 0), coalesce(key, ''), coalesce(moved_from, ''), '', '', '', seq, mark, at, body::text
FROM events WHERE site_id = $1 AND seq > $2 ORDER BY seq`
)

// read reads the tables, and of the log what is new.
func (m *machine) read() tables {
	var (
		read  tables
		sites []siteRow
		err   error
		batch pgx.Batch
	)

	batch.Queue(rawSite, m.site).Query(func(rows pgx.Rows) error {
		sites, err = pgx.CollectRows(rows, pgx.RowToStructByPos[siteRow])

		return err
	})
	batch.Queue(rawCommands, m.site).Query(func(rows pgx.Rows) error {
		read.commands, err = pgx.CollectRows(rows, pgx.RowToStructByPos[commandRow])

		return err
	})
	batch.Queue(rawBatches, m.site).Query(func(rows pgx.Rows) error {
		read.batches, err = pgx.CollectRows(rows, pgx.RowToStructByPos[BatchRow])

		return err
	})
	batch.Queue(rawEvents, m.site, len(m.seen.log)).Query(func(rows pgx.Rows) error {
		read.events, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[event])

		return err
	})
	m.must(m.pool.SendBatch(m.ctx(), &batch).Close(), "read the tables")

	if len(sites) != 1 {
		m.fatal("%d states of the site, or counts of a batch stand twice", len(sites))
	}

	read.site = sites[0]

	return read
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
	var got, want []Row

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
	var rows []BatchRow
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

// readBody takes the note or the pace into the entry.
func (e *event) readBody() {
	if e.Body == nil {
		return
	}

	var (
		note queue.Note
		pace queue.Pace
	)

	if e.Kind == queue.EventNote && json.Unmarshal([]byte(*e.Body), &note) == nil {
		e.Text, e.Author = note.Text, note.Author
	}

	if e.Kind == queue.EventPace && json.Unmarshal([]byte(*e.Body), &pace) == nil {
		e.Pace = PaceRow(pace)
	}
}

// compareMirror holds the mirror and the notes against the model.
func (m *machine) compareMirror() {
	m.compareNotes()

	list, err := m.db.IssueList(m.ctx(), m.site, queue.IssueFilter{}, queue.Page{First: 1000})
	m.must(err, "list the mirror")

	if len(list.Nodes) != len(m.model.Issues) {
		m.fatal("%d issues, where the model has %d", len(list.Nodes), len(m.model.Issues))
	}

	for _, issue := range list.Nodes {
		m.compareIssue(issue)
	}

	keys := append(realKeys, "BOR-2", "CYG-1")

	found, err := m.db.IssuesByKey(m.ctx(), m.site, keys)
	m.must(err, "find issues")

	for _, key := range keys {
		issue, want := found[key], m.model.Issues[m.model.present(key)]
		if (issue == nil) != (want == nil) || want != nil && issue.Key != want.Key {
			m.fatal("%s finds %s, where the model says %s", key, show(issue), show(want))
		}
	}
}

func (m *machine) compareIssue(issue *queue.Issue) {
	want := m.model.Issues[issue.Key]
	if want == nil || IssueRow(*issue) != IssueRow(want.Issue) {
		m.fatal("issue\n%s, where the model says\n%s", show(issue), show(want))
	}

	if version := m.seen.versions[want.LinksRead]; want.LinksRead != 0 && issue.LinksVersion != version || (want.LinksRead == 0) != (issue.LinksVersion == 0) {
		m.fatal("links of %s were read at version %d, where the model says %d", issue.Key, issue.LinksVersion, version)
	}

	m.sameMoment(m.seen.issueAt, want.Seen, issue.RefreshedAt, string(issue.Key))
}

// sameMoment learns when a step was, and holds times to it: one for a step, in the order of the steps.
func (m *machine) sameMoment(moments map[int]time.Time, step int, at time.Time, what string) {
	for other, moment := range moments {
		if other == step && !moment.Equal(at) || other < step && !moment.Before(at) || other > step && !moment.After(at) {
			m.fatal("%s is of step %d, at %s; step %d was at %s", what, step, at, other, moment)
		}
	}

	moments[step] = at
}

func (m *machine) compareNotes() {
	list, err := m.db.NoteList(m.ctx(), m.site, queue.Page{First: 1000})
	m.must(err, "list notes")

	if len(list.Nodes) != len(m.model.Notes) {
		m.fatal("notes %s, where the model says %s", show(list.Nodes), show(m.model.Notes))
	}

	for _, note := range list.Nodes {
		want := m.model.Notes[note.Key]
		if want == nil || note.Text != want.Text || note.Author != want.Author {
			m.fatal("note %s, where the model says %s", show(note), show(want))
		}

		m.sameMoment(m.seen.noteAt, want.Step, note.UpdatedAt, "the note of "+string(note.Key))
	}

	found, err := m.db.NotesByKey(m.ctx(), m.site, realKeys)
	m.must(err, "find notes")

	for _, key := range realKeys {
		note, want := found[key], m.model.Notes[m.model.present(key)]
		if (note == nil) != (want == nil) || want != nil && note.Key != want.Key {
			m.fatal("%s finds the note %s, where the model says %s", key, show(note), show(want))
		}
	}
}

// show writes a value for people to read.
func show(value any) string {
	if spec, ok := value.(queue.BatchSpec); ok {
		text := fmt.Sprintf("{title %s, client key %s, held %v", show(spec.Title), show(spec.ClientKey), spec.Held)
		for i, command := range spec.Commands {
			text += "; " + strconv.Itoa(i) + " " + strings.TrimPrefix(Spelling(command.Params), "queue.")
		}

		return text + "}"
	}

	if c, ok := value.(*Command); ok && c != nil {
		return fmt.Sprintf("%+v", c.Row())
	}

	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%+v", value)
	}

	return string(raw)
}
