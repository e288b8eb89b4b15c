package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureIssue finds the issue by its mark, or creates it.
func (a *Agent) ensureIssue(ctx context.Context, t *task, p queue.EnsureIssue) (*result, error) {
	key, err := a.lookThrough(ctx, a.searchFor(t, p), a.lookUntil(t))
	if err != nil {
		return nil, err
	}

	// What a create left for an edit the journal knows, unless another agent sent it.
	begun := a.journal.kept.Begun
	incomplete := len(begun.Deferred) > 0 || begun.SentAt == nil

	if key == "" {
		if key, err = a.create(ctx, p); err != nil {
			return nil, err
		}

		incomplete = len(a.journal.kept.Begun.Deferred) > 0
	}

	if incomplete {
		if err := a.complete(ctx, key, p); err != nil {
			return &result{wrote: []string{key}}, &told{words: key + " is there, but not all of its fields could be set", error: err}
		}
	}

	done, err := a.after(ctx, key)
	if err != nil {
		return nil, err
	}

	done.key = key

	return done, nil
}

// searchFor says what to look for: by summary too where the issue may lack the label.
func (a *Agent) searchFor(t *task, p queue.EnsureIssue) search {
	begun := a.journal.kept.Begun
	unlabelled := t.mayExist

	if begun.SentAt != nil {
		unlabelled = slices.Contains(begun.Deferred, labelsField)
	}

	return search{dedupe: t.dedupe, creation: &p, since: begun.FirstAt, unlabelled: unlabelled}
}

// lookUntil says how long to look: through a settle window where a create may already have happened. Where the journal
// knows when the last one was sent, the window begins there.
func (a *Agent) lookUntil(t *task) time.Time {
	begun := a.journal.kept.Begun

	switch {
	case begun.SentAt != nil:
		return begun.SentAt.Add(a.settled())
	case t.mayExist:
		return time.Now().Add(a.settled())
	default:
		return time.Time{}
	}
}

// create creates the issue without the fields that its create screen lacks. The journal knows of every try before Jira
// does.
func (a *Agent) create(ctx context.Context, p queue.EnsureIssue) (string, error) {
	draft, err := a.draft(ctx, p)
	if err != nil {
		return "", err
	}

	for {
		var created jira.Created

		err := a.patient.write(ctx, func() (err error) {
			// Anew with each request: the settle window begins with the last one.
			if err := a.sent(draft.deferred); err != nil {
				return err
			}

			created, err = a.jira.CreateIssue(ctx, draft.issue)

			return err
		})
		if err == nil {
			return created.Key, nil
		}

		if _, ok := errors.AsType[*unsure](err); ok {
			// It may have been made at the very end of the wait for the answer.
			return "", errors.Join(a.sent(draft.deferred), err)
		}

		// A refusal made nothing: what it names can be mended or left for an edit.
		var refusal *jira.Error
		if !errors.As(err, &refusal) || refusal.Kind != jira.Refused || !draft.mend(refusal) {
			return "", err
		}
	}
}

// sent writes down that a create may be on its way, without these fields.
func (a *Agent) sent(deferred []string) error {
	now := time.Now()

	return a.journal.change(func(k *kept) { k.Begun.SentAt, k.Begun.Deferred = &now, deferred })
}
