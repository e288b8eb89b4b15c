package resolvers

import (
	"context"
	"errors"
	"time"

	"github.com/vikstrous/dataloadgen"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Many objects of one answer ask for the same field at nearly the same time. Each loader waits a moment for the
// others and reads for all of them at once, and nothing twice.
const (
	loadWait = 2 * time.Millisecond
	loadMost = 1000
)

type loader[K comparable, V any] = dataloadgen.Loader[K, V]

// loaders read what hangs on the objects of one answer.
type loaders struct {
	commands  *loader[queue.CommandID, *queue.Command]
	batches   *loader[queue.BatchID, *queue.Batch]
	dependsOn *loader[queue.CommandID, []*queue.Command]
	retries   *loader[queue.CommandID, []*queue.Command]
	history   *loader[queue.CommandID, []*queue.Event]
	issues    *loader[queue.Key, *queue.Issue]
	notes     *loader[queue.Key, *queue.Note]
}

func newLoaders(reader queue.Reader, of queue.SiteID) *loaders {
	return &loaders{
		commands:  newLoader(of, reader.CommandsByID),
		batches:   newLoader(of, reader.BatchesByID),
		dependsOn: newLoader(of, reader.DependsOn),
		retries:   newLoader(of, reader.Retries),
		history:   newLoader(of, reader.History),
		issues:    newLoader(of, reader.IssuesByKey),
		notes:     newLoader(of, reader.NotesByKey),
	}
}

// newLoader makes a loader that gives the zero value for what does not exist.
func newLoader[K comparable, V any](
	of queue.SiteID, read func(ctx context.Context, site queue.SiteID, keys []K) (map[K]V, error),
) *loader[K, V] {
	fetch := func(ctx context.Context, keys []K) ([]V, []error) {
		found, err := read(ctx, of, keys)
		if err != nil {
			return nil, []error{err}
		}

		values := make([]V, len(keys))
		for i, key := range keys {
			values[i] = found[key]
		}

		return values, nil
	}

	return dataloadgen.NewLoader(fetch, dataloadgen.WithWait(loadWait), dataloadgen.WithBatchCapacity(loadMost))
}

// commandsOf loads commands in the order of their ids; what does not exist is left out.
func commandsOf(ctx context.Context, ids []queue.CommandID) ([]*queue.Command, error) {
	loaded, err := load(ctx).commands.LoadAll(ctx, ids)
	if err != nil {
		return nil, firstOf(err)
	}

	commands := make([]*queue.Command, 0, len(loaded))

	for _, command := range loaded {
		if command != nil {
			commands = append(commands, command)
		}
	}

	return commands, nil
}

// firstOf is the first of the errors that a loader gave: they are all of the same reading.
func firstOf(err error) error {
	var errs dataloadgen.ErrorSlice
	if !errors.As(err, &errs) {
		return err
	}

	for _, err := range errs {
		if err != nil {
			return err
		}
	}

	return nil
}

// one loads the value of one key.
func one[K comparable, V any](ctx context.Context, from *loader[K, V], key K) (V, error) {
	return from.Load(ctx, key) //nolint:wrapcheck // the reader has said what it was doing
}
