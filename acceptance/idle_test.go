package acceptance

import (
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// outside are working hours that this moment is outside of, whatever the time.
func outside() vars { return hoursFromNow(2*time.Hour, 3*time.Hour) }

// around are working hours that this moment is within.
func around() vars { return hoursFromNow(-time.Hour, time.Hour) }

func hoursFromNow(from, to time.Duration) vars {
	now := time.Now().UTC()
	return vars{
		"timeZone": "UTC", "days": []int{1, 2, 3, 4, 5, 6, 7},
		"from": now.Add(from).Format("15:04"), "to": now.Add(to).Format("15:04"),
	}
}

func TestIdleReasonsComeInTheirOrderAndBeforeTheRedelivery(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	site.ClaimAs(t, "one")
	site.Pause(t)
	site.SetPace(t, 0, 0, "workingHours", outside())

	same(t, "another instance, paused, off hours", site.IdleAs(t, "two"), "SEAT_TAKEN")
	same(t, "no instance, paused, off hours", site.Idle(t), "SEAT_TAKEN")
	same(t, "paused, off hours", site.IdleAs(t, "one"), "PAUSED")
	site.Resume(t)
	same(t, "off hours", site.IdleAs(t, "one"), "OFF_HOURS")
	same(t, "deliveries", site.Command(t, id).Deliveries, 1)

	site.SetPace(t, 0, 0, "workingHours", nil)
	same(t, "delivery", site.ClaimAs(t, "one").Delivery, 2)
	site.Done(t, id)
	same(t, "empty", site.IdleAs(t, "one"), "EMPTY")
}

func TestIdleReasonsComeBeforeTheQueue(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "nothing there", site.Idle(t), "EMPTY")
	site.Pause(t)
	same(t, "nothing there, paused", site.Idle(t), "PAUSED")
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	same(t, "paused", site.Idle(t), "PAUSED")
	site.Resume(t)
	site.SetPace(t, 0, 0, "workingHours", outside())
	same(t, "off hours", site.Idle(t), "OFF_HOURS")
	site.SetPace(t, 0, 0, "workingHours", around())
	site.Claim(t)
}

func TestNothingIsFailedByTheLimitWhilePaused(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := site.Submit(t, hubtest.Comment("AURORA-1", "a")).CommandID(0)
	for range 3 {
		site.ClaimOf(t, id)
	}
	site.Pause(t)
	same(t, "idle", site.Idle(t), "PAUSED")
	is(t, site, id, "CLAIMED")
	site.Resume(t)
	same(t, "idle", site.Idle(t), "EMPTY")
	stands(t, site, id, "FAILED", lost)
}

func TestWhatWaitsOrIsOnHoldIsEmpty(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.SubmitHeld(t, hubtest.Creation("new:1"), hubtest.Comment("new:1", "a"), hubtest.Comment("AURORA-1", "b"))
	same(t, "idle", site.Idle(t), "EMPTY")
}
