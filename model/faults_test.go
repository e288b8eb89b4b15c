package model

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// hooks spoil what a change of a site sees or writes; nil ones leave it alone.
type hooks struct {
	claim    func(ctx context.Context, view *queue.ClaimView) error
	commands func(view *queue.CommandsView)
	waiting  func(view *queue.WaitingView)
	mirror   func(keys []queue.Key, view *queue.MirrorView)
	apply    func(changes *queue.Changes)
}

// faultyStore is a store with a fault.
type faultyStore struct {
	queue.Store
	hooks
}

func (s faultyStore) Change(ctx context.Context, site queue.SiteID, change func(tx queue.Tx) error) error {
	return s.Store.Change(ctx, site, func(tx queue.Tx) error { return change(&faultyTx{tx, s.hooks}) })
}

type faultyTx struct {
	queue.Tx
	hooks
}

func (t *faultyTx) Claim(ctx context.Context) (*queue.ClaimView, error) {
	view, err := t.Tx.Claim(ctx)
	if err == nil && t.claim != nil {
		err = t.claim(ctx, view)
	}

	return view, err
}

func (t *faultyTx) Commands(ctx context.Context, ids []queue.CommandID) (*queue.CommandsView, error) {
	view, err := t.Tx.Commands(ctx, ids)
	if err == nil && t.commands != nil {
		t.commands(view)
	}

	return view, err
}

func (t *faultyTx) Waiting(ctx context.Context, creations []queue.CommandID, deep bool) (*queue.WaitingView, error) {
	view, err := t.Tx.Waiting(ctx, creations, deep)
	if err == nil && t.waiting != nil {
		t.waiting(view)
	}

	return view, err
}

func (t *faultyTx) Mirror(
	ctx context.Context, keys []queue.Key, jiraIDs []string, refresh queue.CommandID,
) (*queue.MirrorView, error) {
	view, err := t.Tx.Mirror(ctx, keys, jiraIDs, refresh)
	if err == nil && t.mirror != nil {
		t.mirror(keys, view)
	}

	return view, err
}

func (t *faultyTx) Apply(ctx context.Context, changes *queue.Changes) error {
	if t.apply != nil {
		t.apply(changes)
	}

	return t.Tx.Apply(ctx, changes)
}

// difference ends a run that noticed the fault.
type difference string

func TestEachDeliberateFaultIsNoticed(t *testing.T) {
	t.Parallel()

	w := newWorld(t)

	for _, fault := range faults() {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()

			hunt := &hunt{world: w, fault: fault}
			for round := 0; round < rounds && hunt.noticed == ""; round++ {
				rapid.Check(t, hunt.run)
			}

			if hunt.noticed == "" {
				t.Errorf("not noticed in %d runs, %d steps", hunt.runs, hunt.steps)
			}

			t.Logf("noticed in run %d, after %d steps: %.200s", hunt.runs, hunt.steps, strings.ReplaceAll(string(hunt.noticed), "\n", " "))
		})
	}
}

// rounds is how many times rapid's own number of runs may pass before a fault counts as not noticed. The rarest takes
// some tens of runs.
const rounds = 10

// hunt runs the machine over a store with a fault until it notices.
type hunt struct {
	*world

	fault       fault
	runs, steps int
	noticed     difference
}

// run is one run. Once the fault was noticed it does nothing: for rapid no run fails, so it has nothing to shrink.
func (h *hunt) run(t *rapid.T) {
	if h.noticed != "" {
		return
	}

	h.runs++
	m := h.begin(t, h.db)
	m.fatal = func(format string, args ...any) { panic(difference(fmt.Sprintf(format, args...))) }
	m.hub = queue.New(faultyStore{h.db, h.fault.hooks(m)}, h.db, h.db, m.timing(), nil)

	defer func() {
		h.steps += m.steps

		switch end := recover().(type) {
		case nil:
		case difference:
			h.noticed = end
		case runtime.Error:
			h.noticed = difference(end.Error())
		default:
			panic(end)
		}
	}()

	m.run()
}
