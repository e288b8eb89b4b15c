package acceptance

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func TestAPaceOutsideItsBoundsIsUnprocessable(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetPace(t, 1, 2)
	before := site.Queue(t)
	hours := func(zone string, days ...int) vars {
		if days == nil {
			days = []int{}
		}
		return vars{"timeZone": zone, "days": days, "from": "09:00", "to": "18:00"}
	}
	for name, input := range map[string]vars{
		"a negative minimum":         {"minPauseSeconds": -1, "maxPauseSeconds": 5},
		"a minimum over the maximum": {"minPauseSeconds": 6, "maxPauseSeconds": 5},
		"a maximum over an hour":     {"minPauseSeconds": 0, "maxPauseSeconds": 3601},
		"no day":                     {"minPauseSeconds": 0, "maxPauseSeconds": 5, "workingHours": hours("UTC")},
		"an unknown zone":            {"minPauseSeconds": 0, "maxPauseSeconds": 5, "workingHours": hours("Mars/Olympus", 1)},
		"no zone":                    {"minPauseSeconds": 0, "maxPauseSeconds": 5, "workingHours": hours("", 1)},
		"no failure":                 {"minPauseSeconds": 0, "maxPauseSeconds": 5, "pauseAfterFailures": 0},
		"too many failures":          {"minPauseSeconds": 0, "maxPauseSeconds": 5, "pauseAfterFailures": 1001},
	} {
		t.Run(name, func(t *testing.T) {
			site.Operator.Refused(t, "UNPROCESSABLE", hubtest.SetPace, vars{"input": input})
		})
	}
	same(t, "pace", site.Queue(t).Pace, before.Pace)
	same(t, "cursor", site.Queue(t).Cursor, before.Cursor)
}

func TestAPaceWithinItsBoundsIsTaken(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "pause after failures at first", site.Queue(t).Pace.PauseAfterFailures, nil)
	for _, bounds := range [][2]int{{0, 0}, {0, 3600}, {3600, 3600}} {
		pace := site.SetPace(t, bounds[0], bounds[1])
		same(t, "bounds", [2]int{pace.MinPauseSeconds, pace.MaxPauseSeconds}, bounds)
	}
	for _, failures := range []int{1, 1000} {
		same(t, "failures", *site.SetPace(t, 0, 0, "pauseAfterFailures", failures).PauseAfterFailures, failures)
	}
}

func TestWhatAPaceOmitsStaysAndNullRemovesIt(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	hours := vars{"timeZone": "Europe/Moscow", "days": []int{1, 5}, "from": "09:00", "to": "18:30"}
	site.SetPace(t, 1, 2, "workingHours", hours, "pauseAfterFailures", 5)

	kept := site.SetPace(t, 3, 4)
	same(t, "hours", kept.WorkingHours,
		&hubtest.WorkingHours{TimeZone: "Europe/Moscow", Days: []int{1, 5}, From: "09:00", To: "18:30"})
	same(t, "failures", *kept.PauseAfterFailures, 5)

	removed := site.SetPace(t, 3, 4, "workingHours", nil, "pauseAfterFailures", nil)
	same(t, "hours", removed.WorkingHours, nil)
	same(t, "failures", removed.PauseAfterFailures, nil)
	same(t, "pace", site.Queue(t).Pace, removed)
}

func TestAPauseSaysWhoAndWhy(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	pace := site.Pause(t)
	same(t, "paused", pace.Paused, true)
	same(t, "by", said(pace.PausedBy), site.Operator.Name)
	same(t, "reason", said(pace.PausedReason), "maintenance")
	same(t, "has a time", pace.PausedAt != nil, true)

	pace = site.Resume(t)
	same(t, "paused", pace.Paused, false)
	same(t, "by", pace.PausedBy, nil)
	same(t, "reason", pace.PausedReason, nil)
	same(t, "at", pace.PausedAt, nil)
}

func failOne(t testing.TB, site *hubtest.Site) {
	t.Helper()
	site.Fail(t, claimed(t, site, hubtest.Comment("AURORA-1", "a")))
}

func TestTheQueuePausesItselfAfterFailuresInARow(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetPace(t, 0, 0, "pauseAfterFailures", 2)
	failOne(t, site)
	same(t, "paused after one", site.Queue(t).Pace.Paused, false)
	site.Done(t, claimed(t, site, hubtest.Comment("AURORA-1", "a")))
	failOne(t, site)
	same(t, "paused after one since a success", site.Queue(t).Pace.Paused, false)
	failOne(t, site)

	pace := site.Queue(t).Pace
	same(t, "paused after two in a row", pace.Paused, true)
	if strings.TrimSpace(said(pace.PausedReason)) == "" || pace.PausedReason == nil {
		t.Error("the pause has no reason")
	}
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	same(t, "idle", site.Idle(t), "PAUSED")
}

func TestWithoutPauseAfterFailuresTheQueueGoesOn(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for range 6 {
		failOne(t, site)
	}
	same(t, "paused", site.Queue(t).Pace.Paused, false)
}

func TestARepeatedReportCountsOnceTowardsThePause(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SetPace(t, 0, 0, "pauseAfterFailures", 2)
	id := claimed(t, site, hubtest.Comment("AURORA-1", "a"))
	for range 3 {
		site.Fail(t, id)
	}
	same(t, "paused", site.Queue(t).Pace.Paused, false)
}
