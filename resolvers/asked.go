package resolvers

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

const (
	// askedTogether is how many commands are read at once: those of a batch have ids in a row, and their events come in
	// about that order.
	askedTogether = 32
	// askedMost is how many are kept at least; at most it is twice that.
	askedMost = 1024
)

// asked keeps what was asked for by commands, which never changes, so that an event costs one reading however many
// subscribers it goes to.
type asked struct {
	reader  queue.Reader
	reading singleflight.Group

	mu sync.Mutex
	// recent is filled up to askedMost and then takes the place of older.
	recent, older map[askedFor]*queue.Command
}

type askedFor struct {
	site queue.SiteID
	id   queue.CommandID
}

// command gives a command whose state may be of any time; nil where there is none.
func (a *asked) command(ctx context.Context, id queue.CommandID) (*queue.Command, error) {
	wanted := askedFor{site(ctx), id}
	if kept := a.kept(wanted); kept != nil {
		return kept, nil
	}

	found, shared, err := a.read(ctx, wanted)
	if err == nil && found == nil && shared {
		// That reading may have begun before the command was there.
		found, _, err = a.read(ctx, wanted)
	}

	return found, err
}

// read reads the command and those beside it, and tells whether others shared the reading.
func (a *asked) read(ctx context.Context, wanted askedFor) (found *queue.Command, shared bool, err error) {
	first := wanted.id - wanted.id%askedTogether

	all, err, shared := a.reading.Do(fmt.Sprint(wanted.site, first), func() (any, error) {
		ids := make([]queue.CommandID, askedTogether)
		for i := range ids {
			ids[i] = first + queue.CommandID(i)
		}

		// It ends with none of those who share it; the reader bounds it.
		read, err := a.reader.CommandsByID(context.WithoutCancel(ctx), wanted.site, ids)
		a.keep(wanted.site, read)

		return read, err
	})

	known, _ := all.(map[queue.CommandID]*queue.Command)

	return known[wanted.id], shared, err //nolint:wrapcheck // the reader has said what it was doing
}

func (a *asked) kept(wanted askedFor) *queue.Command {
	a.mu.Lock()
	defer a.mu.Unlock()

	if found := a.recent[wanted]; found != nil {
		return found
	}

	return a.older[wanted]
}

func (a *asked) keep(site queue.SiteID, found map[queue.CommandID]*queue.Command) {
	a.mu.Lock()
	defer a.mu.Unlock()

	if a.recent == nil || len(a.recent) >= askedMost {
		a.recent, a.older = map[askedFor]*queue.Command{}, a.recent
	}

	for id, command := range found {
		a.recent[askedFor{site, id}] = command
	}
}
