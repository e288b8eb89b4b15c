package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

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

// show writes a value for people to read.
func show(value any) string {
	if spec, ok := value.(queue.BatchSpec); ok {
		commands := make([]string, len(spec.Commands))
		for i, command := range spec.Commands {
			commands[i] = fmt.Sprintf("%d %s", i, strings.TrimPrefix(Spelling(command.Params), "queue."))
		}

		return fmt.Sprintf("{title %s, client key %s, held %v; %s}", show(spec.Title), show(spec.ClientKey), spec.Held,
			strings.Join(commands, "; "))
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
