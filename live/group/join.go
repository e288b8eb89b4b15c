package group

import "github.com/sdlc-hub/sdlc-hub/queue"

// join takes the members over to another run where there is one to meet.
func (r *run) join() bool {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	// A state shows itself up to where it was read.
	has := r.done
	if r.state {
		has = later(r.done, r.at)
	}

	if r.state && r.fresh && r.resume != nil {
		return false // its first answer is for its member alone
	}

	other := r.groups.meeting(r, has)
	if other == nil {
		return false
	}

	for _, member := range r.members {
		if !r.state || !r.fresh {
			if !member.passing || has.Seq >= member.had.Seq {
				member.had, member.last = has, r.looks
			}

			member.passing = true
		}

		other.add(member)
	}

	r.members, r.joined = nil, true
	r.groups.forget(r)

	return true
}

// admits tells whether one who has everything up to there may join: nothing that is still to come may be lacking in what
// the run will hand out. groups.mu is held.
func (r *run) admits(newcomer *run, has queue.Cursor) bool {
	switch {
	case !r.placed || r.waiting:
		return false
	case r.state && (r.fresh || newcomer.fresh):
		// Who has seen nothing yet needs the first answer, and only those who wait for it too will get it.
		return r.fresh && newcomer.fresh && r.resume == nil
	case r.reached().Seq > has.Seq:
		return false
	default:
		return !r.inStep && !r.fresh || has.Seq-r.reached().Seq <= near
	}
}

// reached is up to where a newcomer must have everything. groups.mu is held.
func (r *run) reached() queue.Cursor {
	if r.inStep {
		return later(r.at, r.done)
	}

	return r.done
}

// add and drop keep the members; groups.mu is held.
func (r *run) add(member *Member) {
	member.run, member.index = r, len(r.members)
	r.members = append(r.members, member)
}

func (r *run) drop(member *Member) {
	last := len(r.members) - 1
	r.members[member.index] = r.members[last]
	r.members[member.index].index = member.index
	r.members[last] = nil
	r.members = r.members[:last]
	member.run = nil
}

// endIfEmpty ends a run that nobody takes anything of. groups.mu is held.
func (r *run) endIfEmpty() {
	if len(r.members) == 0 && !r.joined {
		r.groups.forget(r)
		r.cancel()
	}
}

// abandon takes the members out, and the run out of those that can be joined.
func (r *run) abandon() []*Member {
	r.groups.mu.Lock()
	defer r.groups.mu.Unlock()

	left := r.members
	r.members = nil

	for _, member := range left {
		member.run = nil
	}

	if !r.joined {
		r.groups.forget(r)
	}

	r.rest()

	return left
}
