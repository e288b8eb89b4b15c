package db

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// TestASearchThatTakesTooLongSaysWhatToChange has each list wait for its table as long as it would take to look through
// very many rows.
func TestASearchThatTakesTooLongSaysWhatToChange(t *testing.T) {
	t.Parallel()

	d := migrated(t)
	f := filledSite(t, d, "main")
	page := queue.Page{First: 10}

	lists := map[string]func(text string) error{
		"commands": func(text string) error {
			_, err := d.CommandList(t.Context(), f.site, queue.CommandFilter{Search: text}, page)
			return err
		},
		"batches": func(text string) error {
			_, err := d.BatchList(t.Context(), f.site, queue.BatchFilter{Search: text}, page)
			return err
		},
		"issues": func(text string) error {
			_, err := d.IssueList(t.Context(), f.site, queue.IssueFilter{Search: text}, page)
			return err
		},
	}

	for name, list := range lists {
		if err := list("ab"); err != nil {
			t.Errorf("%s, few: %v", name, err)
		}
	}

	tx, err := d.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()

	if _, err := tx.Exec(t.Context(), "LOCK TABLE commands, batches, issues"); err != nil {
		t.Fatal(err)
	}

	// Half of it is the search's limit; the other half is more than a busy machine adds to that.
	d.options.Answer = 6 * time.Second

	var searches sync.WaitGroup

	for name, list := range lists {
		searches.Go(func() {
			err := list("ab")
			if queue.CodeOf(err) != queue.Unprocessable || !strings.Contains(err.Error(), "three or more letters") {
				t.Errorf("%s, many: %v", name, err)
			}
		})
	}

	searches.Wait()

	if d.outage.away.Load() {
		t.Error("the database counts as away")
	}
}
