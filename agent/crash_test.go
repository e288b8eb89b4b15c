package agent

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

var errKilled = errors.New("killed by the test")

// killAt has the agent end at its n-th write of the journal from now on, before it or right after.
func killAt(n int, after bool) func(*Journal) {
	return func(j *Journal) {
		first := j.number

		j.written = func(number int, done bool) error {
			if number == first+n && done == after {
				return errKilled
			}

			return nil
		}
	}
}

// once is a command whose work can be counted in Jira.
type once struct {
	name string
	// entry is the command on its n-th issue, did what Jira says it did, and changes how often at most.
	entry func(tr *trial, t *testing.T, n int) hubtest.Vars
	did   string
}

func onceEach() []once {
	return []once{
		{"ensure_issue", func(_ *trial, _ *testing.T, n int) hubtest.Vars {
			return hubtest.Creation("new:1", "issueType", "Задача", "summary", fmt.Sprintf("Отчёт %d", n))
		}, "issue created"},
		{"ensure_fields", func(_ *trial, _ *testing.T, n int) hubtest.Vars {
			return hubtest.Fields("AURORA-1543", hubtest.Vars{"summary": fmt.Sprintf("Название %d", n)})
		}, "issue edited"},
		{"ensure_status", func(tr *trial, t *testing.T, _ int) hubtest.Vars {
			if tr.issue(t, "AURORA-1543").Status == "К выполнению" {
				return hubtest.Status("AURORA-1543", "В работе")
			}

			return hubtest.Status("AURORA-1543", "К выполнению")
		}, "status changed"},
		{"ensure_link", func(_ *trial, _ *testing.T, n int) hubtest.Vars {
			return hubtest.LinkTo("AURORA-1543", []string{
				"AURORA-1501", "AURORA-1502", "AURORA-1503", "AURORA-1510", "AURORA-1511", "AURORA-1512", "AURORA-1513", "AURORA-1520",
				"AURORA-1521", "AURORA-1522", "AURORA-1530", "AURORA-1531", "AURORA-1532", "AURORA-1537", "AURORA-1538", "AURORA-1539",
			}[n])
		}, "link: "},
		{"ensure_sprint", func(tr *trial, t *testing.T, _ int) hubtest.Vars {
			if tr.issue(t, "AURORA-1543").Sprint == "Спринт 2" {
				return hubtest.Sprint("AURORA-1543", "Спринт 3")
			}

			return hubtest.Sprint("AURORA-1543", "Спринт 2")
		}, "moved to sprint"},
		{"ensure_comment", func(_ *trial, _ *testing.T, n int) hubtest.Vars {
			return hubtest.Comment("AURORA-1543", fmt.Sprintf("Сказано %d\nи всё", n))
		}, "comment added"},
		{"refresh", func(_ *trial, _ *testing.T, _ int) hubtest.Vars { return hubtest.Query("project = AURORA") }, ""},
	}
}

// The agent is killed at each write of its journal, before and after it, and started again: what was asked for is done
// exactly once.
func TestACrashAtAnyStepDoesNothingTwice(t *testing.T) {
	t.Parallel()

	for _, kind := range onceEach() {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, tr *trial) {
				// The first start writes what the journal is for.
				tr.do(t, hubtest.Refresh("AURORA-1501"))

				killed := 0
				for step := 1; tr.crash(t, kind, step); step++ {
					killed = step
				}

				if least := map[bool]int{true: 8, false: 6}[kind.name == "ensure_issue"]; killed < least {
					t.Errorf("killed at %d steps only", killed)
				}
			})
		})
	}
}

// crash kills the agent at a step, counted in halves of journal writes, and has it go on; false where there is no such
// step.
func (tr *trial) crash(t *testing.T, kind once, step int) bool {
	t.Helper()

	before := tr.did(kind.did)
	batch := tr.site.Submit(t, kind.entry(tr, t, step))
	agent := tr.start(t, killAt((step+1)/2, step%2 == 0))

	hubtest.Await(t, "the agent was killed or is done", func() bool {
		select {
		case <-agent.ended:
			return true
		default:
			return tr.site.Batch(t, batch.ID).Status == "FINISHED"
		}
	})

	died := errors.Is(agent.end(t), errKilled)

	again := tr.start(t)
	tr.finished(t, batch)

	if err := again.end(t); err != nil {
		t.Fatal(err)
	}

	succeeds(t, tr.site.Batch(t, batch.ID))

	if did := tr.did(kind.did) - before; kind.did != "" && did != 1 {
		t.Errorf("killed at step %d, Jira says %d times %q: %q", step, did, kind.did, tr.writes())
	}

	return died && !t.Failed()
}
