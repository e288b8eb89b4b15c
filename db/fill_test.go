package db

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// morning is when the filled data begins.
func morning() time.Time { return time.Date(2026, 11, 30, 6, 0, 0, 123456000, time.UTC) }

// filler fills the tables of one site by plain SQL.
type filler struct {
	t       testing.TB
	d       *DB
	site    queue.SiteID
	batch   int64
	command int64
	version int64
	counts  queue.Counts
	seq     int64
}

// filledSite makes a site of its own to fill.
func filledSite(t testing.TB, d *DB, name string) *filler {
	t.Helper()

	id, err := d.CreateSite(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}

	return &filler{t: t, d: d, site: id}
}

// made is one command of a filled batch; what is zero is made up.
type made struct {
	params  queue.Params
	status  queue.Status
	err     string
	text    string
	keys    []queue.Key
	retryOf queue.CommandID
	refs    []queue.CommandID
}

// addBatch makes a batch of those commands; its id and theirs follow the site's last.
func (f *filler) addBatch(title, author string, commands ...made) {
	f.t.Helper()

	f.batch++

	var counts queue.Counts

	for i, command := range commands {
		f.command++
		f.addCommand(i, command)

		status := command.status
		if status == "" {
			status = queue.Queued
		}

		*counts.Of(status)++
		*f.counts.Of(status)++
	}

	status := (&queue.Batch{Counts: counts}).Status()
	run(f.t, f.d, `INSERT INTO batches (site_id, id, title, author, created_at, held, status)
		VALUES ($1, $2, nullif($3, ''), $4, $5, false, $6)`,
		f.site, f.batch, title, author, morning().Add(time.Duration(f.batch)*time.Second), status)
	// An old version beside the present one, which alone counts.
	run(f.t, f.d, `INSERT INTO batch_counts (site_id, batch_id, version, counts) VALUES ($1, $2, 1, '{1,1,1,1,1,1,1}'), ($1, $2, 2, $3)`,
		f.site, f.batch, stored(counts))

	f.version++
	run(f.t, f.d, `INSERT INTO site_states (site_id, version, head, head_mark, counts, in_hand)
		SELECT site_id, $2, head, head_mark, $3, coalesce(
			(SELECT id FROM commands c WHERE c.site_id = $1 AND c.status = 'claimed' ORDER BY id LIMIT 1), 0)
		FROM site_states WHERE site_id = $1 ORDER BY version DESC LIMIT 1`, f.site, f.version, stored(f.counts))
}

func (f *filler) addCommand(position int, command made) {
	f.t.Helper()

	if command.params == nil {
		command.params = queue.EnsureComment{Key: "A-1", Body: "hello"}
	}

	if command.status == "" {
		command.status = queue.Queued
	}

	if command.keys == nil {
		command.keys = queue.KeysOf(command.params)
	}

	params, err := encodeParams(command.params)
	if err != nil {
		f.t.Fatal(err)
	}

	var temp any
	if issue, ok := command.params.(queue.EnsureIssue); ok {
		temp = issue.TempKey
	}

	run(f.t, f.d, `INSERT INTO commands (site_id, id, batch_id, position, kind, params, temp_key, dedupe_key, chain, retry_of,
			created_at, status, waiting, error)
		VALUES ($1, $2, $3, $4, $5, $6, $7, '00000000-0000-4000-8000-000000000001', $2, nullif($8, 0), $9, $10, 0, nullif($11, ''))`,
		f.site, f.command, f.batch, position, command.params.Kind(), string(params), temp,
		command.retryOf, morning(), command.status, command.err)

	texts := append([]string{command.text}, keyTexts(command.keys)...)
	run(f.t, f.d, `INSERT INTO command_texts (site_id, command_id, text) VALUES ($1, $2, $3)`,
		f.site, f.command, strings.ToLower(strings.Join(texts, "\n")))

	for _, key := range command.keys {
		run(f.t, f.d, `INSERT INTO command_keys (site_id, key, command_id) VALUES ($1, $2, $3)`, f.site, key, f.command)
	}

	for i, creation := range command.refs {
		run(f.t, f.d, `INSERT INTO command_refs (site_id, creation_id, command_id, temp_key) VALUES ($1, $2, $3, $4)`,
			f.site, creation, f.command, fmt.Sprintf("new:%d", i+1))
	}
}

// addIssue puts an issue into the mirror; set names further columns, each with its SQL value.
func (f *filler) addIssue(key queue.Key, set map[string]string) {
	f.t.Helper()

	columns := map[string]string{
		"project": "'" + key.Project() + "'", "issue_type": "'Task'", "summary": "'summary'", "status": "'Open'",
		"fields": "'{}'", "links": "'[]'", "links_version": "0", "refreshed_at": "'2026-11-30T06:00:00Z'", "missing": "false",
	}
	maps.Copy(columns, set)

	names, values := make([]string, 0, len(columns)), make([]string, 0, len(columns))
	for name, value := range columns {
		names, values = append(names, name), append(values, value)
	}

	run(f.t, f.d, `INSERT INTO issues (site_id, key, key_project, key_number, `+strings.Join(names, ", ")+`)
		VALUES ($1, $2, $3, $4::text::numeric, `+strings.Join(values, ", ")+`)`, f.site, key, key.Project(), numberOf(key))
}

func (f *filler) addNote(key queue.Key, text string, at time.Time) {
	f.t.Helper()
	run(f.t, f.d, `INSERT INTO notes (site_id, key, text, author, updated_at) VALUES ($1, $2, $3, 'ann', $4)`, f.site, key, text, at)
}

func (f *filler) move(from, to queue.Key) {
	f.t.Helper()
	run(f.t, f.d, `INSERT INTO issue_keys (site_id, old_key, key) VALUES ($1, $2, $3)`, f.site, from, to)
}

// addEvent appends to the log; set names further columns, each with its SQL value.
func (f *filler) addEvent(kind queue.EventKind, set map[string]string) queue.Cursor {
	f.t.Helper()

	f.seq++
	cursor := queue.Cursor{Seq: f.seq, Mark: f.seq * 1000003}
	names, values := "", ""

	for name, value := range set {
		names, values = names+", "+name, values+", "+value
	}

	run(f.t, f.d, `INSERT INTO events (site_id, seq, mark, at, kind`+names+`) VALUES ($1, $2, $3, $4, $5`+values+`)`,
		f.site, cursor.Seq, cursor.Mark, morning().Add(time.Duration(f.seq)*time.Second), kind)
	run(f.t, f.d, `UPDATE site_states SET head = $2, head_mark = $3 WHERE site_id = $1`, f.site, cursor.Seq, cursor.Mark)

	return cursor
}

func stored(counts queue.Counts) []int64 {
	statuses := queue.Statuses()
	list := make([]int64, 0, len(statuses))

	for _, status := range statuses {
		list = append(list, int64(*counts.Of(status)))
	}

	return list
}

func keyTexts(keys []queue.Key) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	return texts
}
