package agent

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/jira/sim"
)

const many = 20_000

// large finds many issues, made up as they are asked for.
type large struct {
	Jira

	// read is told of each page before it is given.
	read func(page int)
	// highest is the most memory in use when a page was asked for, in bytes.
	highest, lowest uint64
}

func (l *large) Search(_ context.Context, _ string, pageSize int, _ ...string) iter.Seq2[jira.Page, error] {
	return func(yield func(jira.Page, error) bool) {
		total := many

		for first := 0; first < many; first += pageSize {
			l.measure(first / pageSize)

			page := jira.Page{Total: &total}
			for n := first; n < min(first+pageSize, many); n++ {
				text := fmt.Sprintf("%0500d", n)
				page.Issues = append(page.Issues, jira.Issue{
					Key: fmt.Sprintf("LARGE-%d", n+1), JiraID: fmt.Sprintf("9%05d", n), Project: "LARGE", IssueType: "Task", Status: "Open",
					Summary: "Summary", Description: &text, Fields: map[string]any{"customfield_1": text},
				})
			}

			if !yield(page, nil) {
				return
			}
		}
	}
}

func (l *large) measure(page int) {
	l.read(page)

	if page%20 != 10 {
		return
	}

	runtime.GC()

	var stats runtime.MemStats

	runtime.ReadMemStats(&stats)

	if l.lowest == 0 {
		l.lowest = stats.HeapAlloc
	}

	l.highest = max(l.highest, stats.HeapAlloc)
}

// An agent that is killed in the middle begins the refresh anew with the next delivery; its memory does not grow with
// what it reads, and who watches sees how far it is. It is alone in the process, so that the memory is its own.
//
//nolint:paralleltest // see above
func TestALargeRefreshTakesNoMoreMemoryThanASmallOne(t *testing.T) {
	tr := newTrial(t, sim.DataCenter)
	batch := tr.site.Submit(t, hubtest.Query("project = LARGE"))
	id := batch.Commands.Nodes[0].ID

	var seen atomic.Int64

	journal := openJournal(t, tr.dir)
	found := &large{read: func(page int) {
		if progress := tr.site.Command(t, id).Progress; page%20 == 0 && progress != nil {
			if progress.Done != page*100 || progress.Total == nil || *progress.Total != many {
				t.Errorf("before page %d the progress is %+v", page, progress)
			}

			seen.Add(1)
		}
	}}

	run := func(ctx context.Context) error {
		calls, err := client.New(client.Config{URL: tr.hubURL, Token: tr.site.Agent.Token})
		if err != nil {
			return err
		}

		defer calls.Close()

		return New(Config{
			Hub: calls, Journal: journal, JiraURL: tr.jiraURL, Times: tr.times, Log: slog.New(tr.log),
			Connect: func(ctx context.Context) (Jira, error) {
				user, token := tr.sim.Login()
				connected, err := jira.Connect(ctx, jira.Config{URL: tr.jiraURL, User: user, Token: token})
				found.Jira = connected

				return found, err
			},
		}).Run(ctx)
	}

	// The first delivery ends after a few pages.
	killed, kill := context.WithCancel(t.Context())
	tr.times.Grace = 1
	tell := found.read
	found.read = func(page int) {
		if page == 5 {
			kill()
		}
	}

	if err := run(killed); err != nil {
		t.Fatal(err)
	}

	found.read = tell
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)

	go func() { ended <- run(ctx) }()

	hubtest.Await(t, "the refresh is delivered again", func() bool { return tr.site.Command(t, id).Deliveries == 2 })

	// It takes longer than anything is usually waited for.
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()

	for tr.site.Command(t, id).Status == "CLAIMED" {
		select {
		case err := <-ended:
			t.Fatalf("the agent ended: %v", err)
		case <-look.C:
		}
	}

	stop()

	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	closeJournal(t, journal)
	succeeds(t, tr.site.Batch(t, batch.ID))

	if seen.Load() < 5 {
		t.Errorf("the progress was seen %d times", seen.Load())
	}

	// A page is some 200 KB; all of them are 40 MB.
	if grown := found.highest - min(found.lowest, found.highest); grown > 8<<20 {
		t.Errorf("the memory grew by %d KB", grown>>10)
	}
}
