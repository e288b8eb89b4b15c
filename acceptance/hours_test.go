package acceptance

import (
	"fmt"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// zoneAtHour is a zone in which it is now this hour of the day, with the number
// there of the day before (Monday is 1, Sunday 7) and of the day.
func zoneAtHour(hour int) (zone string, yesterday, today int) {
	now := time.Now().UTC()
	offset := hour - now.Hour()
	if offset > 14 {
		offset -= 24
	}
	if offset < -12 {
		offset += 24
	}
	there := now.Add(time.Duration(offset) * time.Hour)
	// The names of these zones have the sign the other way round.
	zone = fmt.Sprintf("Etc/GMT%+d", -offset)
	if offset == 0 {
		zone = "Etc/GMT"
	}
	day := func(at time.Time) int { return (int(at.Weekday())+6)%7 + 1 }
	return zone, day(there.AddDate(0, 0, -1)), day(there)
}

func others(day int) []int {
	days := []int{}
	for each := 1; each <= 7; each++ {
		if each != day {
			days = append(days, each)
		}
	}
	return days
}

// TestDaysNameTheDayAStretchBeginsOn looks from a zone where it is between two
// and three in the morning.
func TestDaysNameTheDayAStretchBeginsOn(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	zone, yesterday, today := zoneAtHour(2)
	for name, row := range map[string]struct {
		days     []int
		from, to string
		open     bool
	}{
		"begun yesterday, over midnight":        {[]int{yesterday}, "22:00", "06:00", true},
		"begun on any other day, over midnight": {others(yesterday), "22:00", "06:00", false},
		"begins today in the evening":           {[]int{today}, "22:00", "06:00", false},
		"begun yesterday, and ended":            {[]int{yesterday}, "22:00", "01:00", false},
		"today":                                 {[]int{today}, "01:00", "05:00", true},
		"any other day at this hour":            {others(today), "01:00", "05:00", false},
		"today, before its hours":               {[]int{today}, "05:00", "09:00", false},
		"today, after its hours":                {[]int{today}, "00:00", "01:00", false},
		"the whole of today":                    {[]int{today}, "00:00", "00:00", true},
		"the whole of any other day":            {others(today), "00:00", "00:00", false},
	} {
		t.Run(name, func(t *testing.T) {
			site.SetPace(t, 0, 0, "workingHours", vars{"timeZone": zone, "days": row.days, "from": row.from, "to": row.to})
			if !row.open {
				same(t, "idle", site.Idle(t), "OFF_HOURS")
				return
			}
			site.Submit(t, hubtest.Comment("AURORA-1", "a"))
			site.Done(t, site.Claim(t).Command.ID)
		})
	}
}

func TestWorkingHoursCompareTheWallClockOfTheirZone(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	zone, _, _ := zoneAtHour(12)
	far, _, _ := zoneAtHour(20)
	hours := func(zone string) vars {
		return vars{"timeZone": zone, "days": []int{1, 2, 3, 4, 5, 6, 7}, "from": "11:00", "to": "14:00"}
	}
	site.Submit(t, hubtest.Comment("AURORA-1", "a"))
	site.SetPace(t, 0, 0, "workingHours", hours(far))
	same(t, "where it is evening", site.Idle(t), "OFF_HOURS")
	site.SetPace(t, 0, 0, "workingHours", hours(zone))
	site.Claim(t)
}
