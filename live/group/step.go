package group

import (
	"context"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Pass ends a step: the members have everything up to done. Here a run joins another; then it is over.
func (r *run) Pass(ctx context.Context, done queue.Cursor) error {
	// Whoever is behind with reading would only be left behind again.
	alone := r.isAlone()

	first := r.end(done)
	if alone || r.join() {
		return r.passed(ctx)
	}

	if first && r.hasCompany() {
		timer := time.NewTimer(gather)
		defer timer.Stop()

		select {
		case <-ctx.Done():
		case <-timer.C:
		}

		r.join()
	}

	return r.passed(ctx)
}

// Reach begins a step.
func (r *run) Reach(at queue.Cursor) { r.begin(at) }

func (r *run) passed(ctx context.Context) error {
	if r.isJoined() {
		return errJoined
	}

	return ctx.Err() //nolint:wrapcheck // whoever ended it knows why
}

// begin begins a step for those who are members by now.
func (r *run) begin(at queue.Cursor) {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	if !r.inStep {
		r.inStep = true
		r.groups.inStep++
	}

	r.at, r.fresh = at, false
	r.sending = append(r.sending[:0], r.members...)
}

// end ends a step, and tells whether there was none before.
func (r *run) end(done queue.Cursor) bool {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	r.rest()
	r.done, r.placed = done, true

	return r.fresh
}

// endStep ends a step that has no position.
func (r *run) endStep() {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	r.rest()
}

// rest is for where groups.mu is held.
func (r *run) rest() {
	clear(r.sending)
	r.sending = r.sending[:0]
	r.groups.worked = time.Now()

	if r.inStep {
		r.inStep = false
		r.groups.inStep--
	}
}

// isAlone tells whether the run has one member, and that one has something to read still.
func (r *run) isAlone() bool {
	if len(r.sending) != 1 {
		return false
	}

	return !r.sending[0].to.Idle()
}

// hasCompany tells whether there are other runs of this kind.
func (r *run) hasCompany() bool {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	return r.resume == nil && len(r.groups.runs[r.key]) > 1
}

func (r *run) isJoined() bool {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	return r.joined
}
