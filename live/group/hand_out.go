package group

import "github.com/sdlc-hub/sdlc-hub/queue"

// handOut hands the answer to every member of the step. Only the one member of a run is waited for.
func (r *run) handOut() {
	for _, member := range r.sending {
		if member.passes(r.at, r.state, r.looks) || member.to.Next(r.encoded, r.at) {
			continue
		}

		if r.waitFor(member) {
			return
		}

		r.part(member)
	}
}

// waitFor waits for the only member until it has taken the answer, or is gone; false where there are others, who are not
// to wait.
func (r *run) waitFor(member *Member) bool {
	if !r.setWaiting(true) {
		return false
	}
	defer r.setWaiting(false)

	for member.to.Room(r.ctx) == nil && !member.to.Next(r.encoded, r.at) {
		continue
	}

	return true
}

// setWaiting tells whether it was set: it cannot be where there are several members.
func (r *run) setWaiting(waiting bool) bool {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	if waiting && len(r.members) > 1 {
		return false
	}

	r.waiting = waiting

	return true
}

// part leaves a member behind: it goes on alone, at its own pace, from where it is.
func (r *run) part(member *Member) {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	if member.left {
		return
	}

	at := member.position(r.done)

	r.drop(member)
	r.endIfEmpty()
	r.again(member, at)
}

// goOnAlone runs the subscription anew for a member that is in no run.
func (r *run) goOnAlone(member *Member, at queue.Cursor) {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	if !member.left {
		r.again(member, at)
	}
}

// again is for where groups.mu is held.
func (r *run) again(member *Member, at queue.Cursor) {
	member.passing = false

	r.groups.start(&run{
		operation: r.operation, audience: r.audience, key: r.key, state: r.state, resume: &at,
	}, member)
}
