package queue

import (
	"context"
	"slices"
	"time"
)

// Optional is a value that may be left as it is, removed or set.
type Optional[T any] struct {
	// Given tells that it shall change: to Value, or to nothing where that is nil.
	Given bool
	Value *T
}

// PaceSpec is the pace a person asks for; what is not given stays.
type PaceSpec struct {
	MinPauseSeconds, MaxPauseSeconds int
	WorkingHours                     Optional[WorkingHours]
	PauseAfterFailures               Optional[int]
}

// Bounds of the pace.
const (
	maxPauseSeconds       = 3600
	maxPauseAfterFailures = 1000
)

// SetPace changes how fast the agent may go.
func (q *Queue) SetPace(ctx context.Context, by Actor, spec PaceSpec) (*Pace, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}

	return q.changePace(ctx, by, func(c *change) {
		pace := c.site.Pace
		pace.MinPauseSeconds, pace.MaxPauseSeconds = spec.MinPauseSeconds, spec.MaxPauseSeconds

		if spec.WorkingHours.Given {
			pace.WorkingHours = spec.WorkingHours.Value
		}

		if spec.PauseAfterFailures.Given {
			pace.PauseAfterFailures = spec.PauseAfterFailures.Value
		}

		c.setPace(pace, c.actor)
	})
}

// PauseQueue stops the handing out of commands, redeliveries included, until ResumeQueue.
func (q *Queue) PauseQueue(ctx context.Context, by Actor, reason *string) (*Pace, error) {
	if reason != nil {
		if err := checkText("reason", *reason, MaxText); err != nil {
			return nil, err
		}
	}

	return q.changePace(ctx, by, func(c *change) { c.pause(&by.Name, reason) })
}

// ResumeQueue ends a pause; the count of failures begins anew.
func (q *Queue) ResumeQueue(ctx context.Context, by Actor) (*Pace, error) {
	return q.changePace(ctx, by, func(c *change) {
		if !c.site.Pace.Paused {
			return
		}

		pace := c.site.Pace
		pace.Paused, pace.PausedBy, pace.PausedReason, pace.PausedAt = false, nil, nil, nil
		c.site.FailuresInRow = 0
		c.setPace(pace, c.actor)
	})
}

// changePace runs decide and gives the pace after it.
func (q *Queue) changePace(ctx context.Context, by Actor, decide func(c *change)) (*Pace, error) {
	var pace *Pace

	err := q.change(ctx, by, func(tx Tx) error {
		site, err := tx.Site(ctx)
		if err != nil {
			return err
		}

		c := newChange(site, nil, by)
		decide(c)

		pace = &c.site.Pace

		if c.out.Pace == nil {
			return nil
		}

		return tx.Apply(ctx, c.changes())
	})
	if err != nil {
		return nil, err
	}

	return pace, nil
}

// pause stops the queue; by is nil where the hub itself does.
func (c *change) pause(by, reason *string) {
	now := c.site.Now
	pace := c.site.Pace
	pace.Paused, pace.PausedBy, pace.PausedReason, pace.PausedAt = true, by, reason, &now
	c.setPace(pace, textOf(by))
}

func (c *change) setPace(pace Pace, actor string) {
	c.site.Pace = pace
	c.out.Pace = &pace
	c.event(Event{Kind: EventPace, Actor: actor, Pace: &pace})
}

func (s *PaceSpec) check() error {
	if s.MinPauseSeconds < 0 || s.MinPauseSeconds > s.MaxPauseSeconds || s.MaxPauseSeconds > maxPauseSeconds {
		return Refusef(Unprocessable,
			"minPauseSeconds is %d and maxPauseSeconds %d; they must be 0 or more, at most %d, and the first no more than the second",
			s.MinPauseSeconds, s.MaxPauseSeconds, maxPauseSeconds)
	}

	if limit := s.PauseAfterFailures.Value; limit != nil && (*limit < 1 || *limit > maxPauseAfterFailures) {
		return Refusef(Unprocessable, "pauseAfterFailures is %d; it must be 1 to %d, or null for never", *limit, maxPauseAfterFailures)
	}

	if hours := s.WorkingHours.Value; hours != nil {
		return hours.check()
	}

	return nil
}

// check refuses hours that name no day, no moment or no zone, and puts the days in order.
func (w *WorkingHours) check() error {
	// "" and "Local" load, but name the zone of the machine that the hub happens to run on.
	if _, err := time.LoadLocation(w.TimeZone); err != nil || w.TimeZone == "" || w.TimeZone == "Local" {
		return Refusef(Unprocessable, "timeZone is %.80q; it must be an IANA name such as Europe/Moscow", w.TimeZone)
	}

	for _, clock := range []struct{ name, text string }{{"from", w.From}, {"to", w.To}} {
		if _, ok := parseClock(clock.text); !ok {
			return Refusef(Unprocessable, "%s is %.40q; it must be HH:MM, 00:00 to 23:59", clock.name, clock.text)
		}
	}

	if len(w.Days) == 0 {
		return Refusef(Unprocessable, "days is empty; name a day, or set workingHours to null for work around the clock")
	}

	for _, day := range w.Days {
		if day < 1 || day > 7 {
			return Refusef(Unprocessable, "days holds %d; Monday is 1, Sunday 7", day)
		}
	}

	w.Days = slices.Compact(slices.Sorted(slices.Values(w.Days)))

	return nil
}
