package queue

import (
	"testing"
	"time"
)

func TestWorkingHours(t *testing.T) {
	t.Parallel()

	weekdays := []int{1, 2, 3, 4, 5}
	day := WorkingHours{TimeZone: "Europe/Moscow", Days: weekdays, From: "09:00", To: "18:00"}
	night := WorkingHours{TimeZone: "Europe/Moscow", Days: []int{5}, From: "22:00", To: "06:00"}
	whole := WorkingHours{TimeZone: "Europe/Moscow", Days: []int{7}, From: "10:00", To: "10:00"}
	nowhere := WorkingHours{TimeZone: "Mars/Base", Days: weekdays, From: "00:00", To: "00:00"}
	// In Berlin 02:00 to 02:59 was skipped on 29 March 2026 and came twice on 25 October.
	skipped := WorkingHours{TimeZone: "Europe/Berlin", Days: []int{7}, From: "02:15", To: "02:45"}

	for _, test := range []struct {
		rule  string
		hours WorkingHours
		at    string
		want  bool
	}{
		{"a day's stretch holds its first minute", day, "2026-11-30T09:00:00+03:00", true},
		{"and not its last", day, "2026-11-30T18:00:00+03:00", false},
		{"but the second before", day, "2026-11-30T17:59:59+03:00", true},
		{"it reads the wall clock of its own zone", day, "2026-11-30T06:30:00Z", true},
		{"another day is none of it", day, "2026-11-29T12:00:00+03:00", false},
		{"a night begins on its day", night, "2026-11-27T22:00:00+03:00", true},
		{"and goes into the next morning", night, "2026-11-28T05:59:00+03:00", true},
		{"until its end", night, "2026-11-28T06:00:00+03:00", false},
		{"it does not begin on the next day", night, "2026-11-28T22:00:00+03:00", false},
		{"and its day's own morning is the day before's", night, "2026-11-27T05:00:00+03:00", false},
		{"equal ends are the whole day, its first minute", whole, "2026-11-29T00:00:00+03:00", true},
		{"and its last", whole, "2026-11-29T23:59:00+03:00", true},
		{"and no other day", whole, "2026-11-30T09:00:00+03:00", false},
		{"a skipped minute does not come", skipped, "2026-03-29T03:30:00+02:00", false},
		{"a repeated one counts the first time", skipped, "2026-10-25T02:30:00+02:00", true},
		{"and the second", skipped, "2026-10-25T02:30:00+01:00", true},
		{"an unknown zone never comes", nowhere, "2026-11-30T12:00:00Z", false},
	} {
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}

		if got := test.hours.Contains(at); got != test.want {
			t.Errorf("%s: Contains(%s) = %v", test.rule, test.at, got)
		}
	}
}

func TestDrawPauseIsWithinTheBounds(t *testing.T) {
	t.Parallel()

	seen := map[int]bool{}
	for range 1000 {
		seen[drawPause(Pace{MinPauseSeconds: 3, MaxPauseSeconds: 5})] = true
	}

	if len(seen) != 3 || !seen[3] || !seen[4] || !seen[5] {
		t.Errorf("drew %v; want 3, 4 and 5", seen)
	}
}
