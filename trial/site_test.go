package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
)

// agentInstance is the one that holds a site's seat; the other is always late for it.
const (
	agentInstance = "first"
	otherInstance = "second"
)

// site is one site as all its clients know it.
type site struct {
	name string
	// viewer and admin are the operator where the site has none.
	operator, agent, viewer, admin *caller
	record                         *record
	// turn is held by the client that is the site's agent for now: one is, as in life.
	turn sync.Mutex

	mu sync.Mutex
	// batches and commands are the newest of each, cursor a position that the site's log had.
	batches, commands []string
	cursor            string
	// hand is the command that was handed out last.
	hand string
}

// newSite makes a site and its tokens, one of each of the roles.
func newSite(ctx context.Context, at setting, name string, roles ...string) (*site, error) {
	if _, err := at.succeed(ctx, "site", "create", name); err != nil {
		return nil, err
	}

	s := &site{name: name, record: newRecord()}
	tokens := map[string]*caller{}

	for _, role := range roles {
		named := role + "-of-" + name

		token, err := at.token(ctx, name, role, named)
		if err != nil {
			return nil, err
		}

		tokens[role] = newCaller("http://"+at.address, named, token)
	}

	s.operator, s.agent, s.viewer, s.admin = tokens["operator"], tokens["agent"], tokens["viewer"], tokens["admin"]

	for _, other := range []**caller{&s.viewer, &s.admin} {
		if *other == nil {
			*other = s.operator
		}
	}

	return s, nil
}

// newSites makes several, as many at once as there are processors to do it.
func newSites(ctx context.Context, at setting, names []string, roles ...string) ([]*site, error) {
	const atOnce = 4

	sites := make([]*site, len(names))
	errs := make([]error, len(names))
	turns := make(chan struct{}, atOnce)

	var all sync.WaitGroup

	for i, name := range names {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()

			sites[i], errs[i] = newSite(ctx, at, name, roles...)
		})
	}

	all.Wait()

	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("make the sites: %w", err)
	}

	return sites, nil
}

func (s *site) close() {
	for _, c := range []*caller{s.operator, s.agent, s.viewer, s.admin} {
		c.close()
	}
}

const remembered = 300

// learn remembers a batch for those who want to do something with it.
func (s *site) learn(batch *batchAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.batches = append(s.batches, batch.ID)
	s.commands = append(s.commands, batch.commandIDs()...)
	s.batches = s.batches[max(0, len(s.batches)-remembered):]
	s.commands = s.commands[max(0, len(s.commands)-remembered):]
}

// someBatch and someCommand are of the newest; nobodys where there is none yet.
func (s *site) someBatch(r *rand.Rand) string { return s.some(r, &s.batches) }

func (s *site) someCommand(r *rand.Rand) string { return s.some(r, &s.commands) }

func (s *site) some(r *rand.Rand, of *[]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()

	if len(*of) == 0 {
		return nobodys
	}

	return (*of)[r.IntN(len(*of))]
}

// nobodys is an id that is never given out.
const nobodys = "9000000000000000000"

func (s *site) learnHand(command string) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.hand = command
}

// lastHandedOut is the command that the agent most likely has in hand; nobodys before the first.
func (s *site) lastHandedOut() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return cmp.Or(s.hand, nobodys)
}

func (s *site) learnCursor(cursor string) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.cursor = cursor
}

func (s *site) someCursor() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.cursor
}
