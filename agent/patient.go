package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sdlc-hub/sdlc-hub/jira"
)

// patient asks Jira until an answer comes that waiting does not change: where Jira asks to wait or is away it waits,
// however long; where the outcome of a read is unknown it reads again, a few times.
type patient struct {
	times   Times
	log     *slog.Logger
	trouble func(problem string)
}

// unsure is a write whose outcome is unknown: it must not be repeated before Jira was read again.
type unsure struct{ error }

func (u *unsure) Unwrap() error { return u.error }

// read asks until an answer comes.
func (p *patient) read(ctx context.Context, ask func() error) error {
	return p.until(ctx, p.times.Tries, ask)
}

// write asks but once where the outcome is unknown, and gives an unsure error then.
func (p *patient) write(ctx context.Context, ask func() error) error {
	err := p.until(ctx, 1, ask)
	if err != nil && ctx.Err() == nil && jira.KindOf(err) == jira.Unknown {
		return &unsure{err}
	}

	return err
}

func (p *patient) until(ctx context.Context, tries int, ask func() error) error {
	for tried := p.trying(tries); ; {
		err := ask()
		if err == nil {
			tried.well()

			return nil
		}

		if err := tried.again(ctx, err); err != nil {
			return err
		}
	}
}

// asked is patient.read for what gives a value.
func asked[T any](ctx context.Context, p *patient, ask func() (T, error)) (T, error) {
	var value T

	err := p.read(ctx, func() (err error) {
		value, err = ask()

		return err
	})

	return value, err
}

// tries are those of one question.
type tries struct {
	*patient

	pauses       *pauses
	left, atMost int
}

func (p *patient) trying(atMost int) *tries {
	return &tries{patient: p, pauses: p.times.pauses(), left: atMost, atMost: atMost}
}

// well notes an answer: what comes next is tried as often again.
func (t *tries) well() {
	t.trouble("")

	t.left, t.pauses = t.atMost, t.times.pauses()
}

// again waits where the same question may be asked again, and else gives the error to end with.
func (t *tries) again(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) //nolint:wrapcheck // whoever ended it knows why
	}

	var answer *jira.Error
	if !errors.As(err, &answer) {
		return err
	}

	var least time.Duration

	switch answer.Kind {
	case jira.TooFast:
		least = answer.RetryAfter
		t.slowed(least)
	case jira.Away:
		t.trouble("Jira is away: " + answer.Message())
	case jira.Unknown:
		if t.left--; t.left <= 0 {
			return err
		}
	case jira.NotLoggedIn, jira.Refused, jira.NotJSON:
		t.trouble("")

		return err
	}

	t.log.Debug("Jira is asked again", "kind", answer.Kind, "error", err)

	return t.pauses.pause(ctx, least)
}

// longWait is from when on a wait that Jira asks for is worth the hub's while.
const longWait = 30 * time.Second

func (t *tries) slowed(wait time.Duration) {
	if wait >= longWait {
		t.trouble(fmt.Sprintf("Jira asks to wait %s", wait))
	}
}
