package db

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestAWaitForOthersChangesIsToldAsBusyAndNotAsAnOutage(t *testing.T) {
	t.Parallel()

	d := migrated(t)

	site, err := d.CreateSite(t.Context(), "busy")
	if err != nil {
		t.Fatal(err)
	}

	entered, leave := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)

	go func() {
		ended <- d.Change(context.WithoutCancel(t.Context()), site, func(queue.Tx) error {
			close(entered)
			<-leave

			return nil
		})
	}()

	select {
	case <-entered:
	case err := <-ended:
		t.Fatalf("the first change: %v", err)
	}

	// Only the second is hurried: on a busy machine what goes before may take its time.
	d.options.Answer = 200 * time.Millisecond

	err = d.Change(t.Context(), site, func(queue.Tx) error { return nil })

	close(leave)

	if err := <-ended; err != nil {
		t.Error(err)
	}

	if queue.CodeOf(err) != queue.Unavailable || !strings.Contains(err.Error(), "busy") {
		t.Errorf("a second change: %v", err)
	}

	if d.outage.away.Load() {
		t.Error("the database counts as away")
	}
}

func TestChangesOfDifferentSitesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()

	d := migrated(t)

	one, err := d.CreateSite(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}

	two, err := d.CreateSite(t.Context(), "two")
	if err != nil {
		t.Fatal(err)
	}

	err = d.Change(t.Context(), one, func(tx queue.Tx) error {
		if _, err := tx.Site(t.Context()); err != nil {
			return err
		}

		return d.Change(t.Context(), two, func(tx queue.Tx) error {
			_, err := tx.Site(t.Context())

			return err
		})
	})
	if err != nil {
		t.Error(err)
	}
}
