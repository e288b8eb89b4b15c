package queue

import (
	"slices"
	"time"
)

// Pace is how fast the agent may go, and whether it may at all.
type Pace struct {
	MinPauseSeconds int  `json:"minPauseSeconds"`
	MaxPauseSeconds int  `json:"maxPauseSeconds"`
	Paused          bool `json:"paused"`
	// PausedBy is the name on the token; nil where the hub paused itself.
	PausedBy     *string    `json:"pausedBy,omitempty"`
	PausedReason *string    `json:"pausedReason,omitempty"`
	PausedAt     *time.Time `json:"pausedAt,omitempty"`
	// PauseAfterFailures is after how many failed commands in a row the hub pauses itself; nil: never.
	PauseAfterFailures *int          `json:"pauseAfterFailures,omitempty"`
	WorkingHours       *WorkingHours `json:"workingHours,omitempty"`
}

// DefaultPace is a new site's: a person's speed, around the clock.
func DefaultPace() Pace { return Pace{MinPauseSeconds: 3, MaxPauseSeconds: 8} }

// WorkingHours are when commands are handed out, on the wall clock of a zone.
type WorkingHours struct {
	// TimeZone is an IANA name.
	TimeZone string `json:"timeZone"`
	// Days a stretch begins on: Monday is 1, Sunday 7.
	Days []int `json:"days"`
	// From and To are HH:MM; To before From means the next day, equal to it the whole day.
	From string `json:"from"`
	To   string `json:"to"`
}

// Contains tells whether the moment lies in the working hours. It reads the wall clock, so that a minute which a
// change of clocks skips does not come and one that it repeats counts twice. An unknown zone never contains it.
func (w *WorkingHours) Contains(now time.Time) bool {
	zone, err := time.LoadLocation(w.TimeZone)
	if err != nil {
		return false
	}

	from, okFrom := parseClock(w.From)
	to, okTo := parseClock(w.To)

	if !okFrom || !okTo {
		return false
	}

	local := now.In(zone)
	minute := local.Hour()*60 + local.Minute()
	today := weekday(local)
	yesterday := (today+5)%7 + 1

	switch {
	case from == to:
		return w.on(today)
	case from < to:
		return w.on(today) && from <= minute && minute < to
	default:
		return w.on(today) && minute >= from || w.on(yesterday) && minute < to
	}
}

func (w *WorkingHours) on(day int) bool { return slices.Contains(w.Days, day) }

// weekday counts from Monday, 1, to Sunday, 7.
func weekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// parseClock reads HH:MM as minutes since midnight.
func parseClock(s string) (int, bool) {
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return 0, false
	}

	return t.Hour()*60 + t.Minute(), true
}
