package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/db/pgtest"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// traced is a hub on a database of the test's own whose statements are seen.
func traced(t *testing.T) (*explainer, *queue.Queue, queue.Actor) {
	t.Helper()

	seen := newExplainer()
	t.Cleanup(seen.close)

	store, hub, err := openQueue(t.Context(), pgtest.New(t), seen)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(store.Close)

	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}

	site, err := store.CreateSite(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}

	// What made the schema is not a verb's.
	clear(seen.seen)

	return seen, hub, queue.Actor{Site: site, Name: "test"}
}

func TestAnExplainedVerbDoesItsWorkOnce(t *testing.T) {
	t.Parallel()

	seen, hub, by := traced(t)

	if _, err := hub.CreateBatch(t.Context(), by, queue.BatchSpec{Commands: plainCommands(2)}); err != nil {
		t.Fatal(err)
	}

	first, err := explainClaim(t.Context(), seen, hub, by, "claim")
	if err != nil {
		t.Fatal(err)
	}

	again, err := explainClaim(t.Context(), seen, hub, by, "redelivery")
	if err != nil {
		t.Fatal(err)
	}

	if first.Delivery != 1 || again.Command != first.Command || again.Delivery != 2 {
		t.Errorf("the first claim gave %d for the %d. time, the second %d for the %d. time",
			first.Command, first.Delivery, again.Command, again.Delivery)
	}

	for _, verb := range []string{"claim", "redelivery"} {
		of := func(begins string) bool {
			return slices.ContainsFunc(seen.touched, func(one touch) bool {
				return one.verb == verb && one.buffers > 0 && strings.Contains(one.sql, begins)
			})
		}

		if !of("FOR NO KEY UPDATE") || !of("UPDATE commands") || !of("INSERT INTO events") {
			t.Errorf("the lock, the command's update or the event of a %s was not explained: %v", verb, seen.touched)
		}
	}
}

// locking finds what locks rows as it reads them, but for a statement that fetches nothing else than the site's id. One
// that locks and reads at once may see the state of before the lock.
func locking(statements map[string]bool) (locks int, wrong []string) {
	lock := regexp.MustCompile(`(?i)\bFOR\s+(NO\s+KEY\s+UPDATE|UPDATE|SHARE|KEY\s+SHARE)\b`)
	bare := regexp.MustCompile(`(?i)^\s*SELECT\s+id\s+FROM\s+sites\s+WHERE\s+id\s*=\s*\$1\s+FOR\s+NO\s+KEY\s+UPDATE\s*$`)

	for sql := range statements {
		switch {
		case bare.MatchString(sql):
			locks++
		case lock.MatchString(sql) && strings.Contains(sql, "sites"), lock.MatchString(sql) && strings.Contains(sql, "site_states"):
			wrong = append(wrong, sql)
		}
	}

	return locks, wrong
}

func TestNoStatementOfAVerbLocksAndReadsTheSite(t *testing.T) {
	t.Parallel()

	seen, hub, by := traced(t)

	for _, verb := range verbs(hub, by) {
		if err := verb.call(t.Context()); err != nil {
			t.Fatalf("%s: %v", verb.name, err)
		}
	}

	locks, wrong := locking(seen.seen)
	if locks != 1 {
		t.Errorf("%d statements lock the site instead of one", locks)
	}

	for _, sql := range wrong {
		t.Errorf("this locks and reads:\n%s", sql)
	}
}

func TestAStatementThatLocksAndReadsIsFound(t *testing.T) {
	t.Parallel()

	for sql, found := range map[string]bool{
		"SELECT id FROM sites WHERE id = $1 FOR NO KEY UPDATE":                                        false,
		"SELECT id, pace FROM sites WHERE id = $1 FOR NO KEY UPDATE":                                  true,
		"SELECT st.* FROM site_states st WHERE site_id = $1 ORDER BY version DESC LIMIT 1 FOR UPDATE": true,
		"WITH s AS (SELECT id FROM sites WHERE id = $1 FOR UPDATE) SELECT * FROM commands":            true,
		"SELECT * FROM sites WHERE id = $1":                                                           false,
	} {
		if _, wrong := locking(map[string]bool{sql: true}); (len(wrong) == 1) != found {
			t.Errorf("%s: found is %t", sql, !found)
		}
	}
}

// verb is one of the hub's, with what it needs.
type verb struct {
	name string
	call func(ctx context.Context) error
}

// verbs are all that change a site, in an order in which each finds something to do.
func verbs(hub *queue.Queue, by queue.Actor) []verb {
	var (
		batch, held queue.BatchID
		handout     *queue.Handout
	)

	only := func(_ any, err error) error { return err }
	instance := queue.ClaimCall{Instance: "test"}

	claim := func(ctx context.Context) error {
		var err error
		handout, _, err = hub.Claim(ctx, by, instance)

		return err
	}

	return []verb{
		{"createBatch", func(ctx context.Context) error {
			var err error
			batch, err = hub.CreateBatch(ctx, by, queue.BatchSpec{Commands: issueCommands(8, 2, 1)})

			return err
		}},
		{"heartbeat", func(ctx context.Context) error { return only(hub.Heartbeat(ctx, by, queue.Beat{Instance: "test"})) }},
		{"pushJira", func(ctx context.Context) error {
			return only(hub.PushJira(ctx, by, queue.Jira{BaseURL: "http://jira"}))
		}},
		{"setNote", func(ctx context.Context) error {
			return only(hub.SetNote(ctx, by, queue.NoteSpec{Key: "new:1", Text: "a note"}))
		}},
		{"claim", claim},
		{"report of a creation", func(ctx context.Context) error {
			made := queue.Key("AURORA-1")

			return only(hub.Report(ctx, by, queue.Report{Command: handout.Command, Outcome: queue.OutcomeDone, Key: &made}))
		}},
		{"claim of a dependent", claim},
		{"pushIssues", func(ctx context.Context) error {
			snapshot := (&mirror{}).snapshot(1)

			return only(hub.PushIssues(ctx, by, queue.Push{Issues: []queue.Snapshot{snapshot}, Instance: "test"}))
		}},
		{"report with an issue", func(ctx context.Context) error {
			snapshot := (&mirror{round: 1}).snapshot(1)

			return only(hub.Report(ctx, by, queue.Report{
				Command: handout.Command, Outcome: queue.OutcomeDone, Issues: []queue.Snapshot{snapshot},
			}))
		}},
		{"claim of the second creation", claim},
		{"report of a failure", func(ctx context.Context) error {
			return only(hub.Report(ctx, by, queue.Report{
				Command: handout.Command, Outcome: queue.OutcomeFailed, Error: &queue.ReportError{Message: "no"},
			}))
		}},
		{"retryCommands", func(ctx context.Context) error {
			return only(hub.RetryCommands(ctx, by, queue.RetrySpec{IDs: []queue.CommandID{handout.Command}, WithRelated: true}))
		}},
		{"cancelCommands", func(ctx context.Context) error {
			return only(hub.CancelCommands(ctx, by, []queue.CommandID{handout.Command + 2}, true))
		}},
		{"holdBatch", func(ctx context.Context) error {
			var err error

			held, err = hub.CreateBatch(ctx, by, queue.BatchSpec{Commands: plainCommands(2)})
			if err != nil {
				return err
			}

			return hub.HoldBatch(ctx, by, held)
		}},
		{"releaseBatch", func(ctx context.Context) error { return hub.ReleaseBatch(ctx, by, held) }},
		{"cancelBatch", func(ctx context.Context) error { return only(hub.CancelBatch(ctx, by, batch, true)) }},
		{"setPace", func(ctx context.Context) error { return only(hub.SetPace(ctx, by, queue.PaceSpec{MaxPauseSeconds: 5})) }},
		{"pauseQueue", func(ctx context.Context) error { return only(hub.PauseQueue(ctx, by, nil)) }},
		{"resumeQueue", func(ctx context.Context) error { return only(hub.ResumeQueue(ctx, by)) }},
	}
}
