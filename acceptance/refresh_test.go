package acceptance

import (
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

func progress(t testing.TB, site *hubtest.Site, id string) [2]int {
	t.Helper()
	command := site.Command(t, id)
	if command.Progress == nil {
		t.Fatalf("%s %s has no progress", command.Kind, id)
	}
	total := -1
	if command.Progress.Total != nil {
		total = *command.Progress.Total
	}
	return [2]int{command.Progress.Done, total}
}

func TestProgressOfARefreshCountsDistinctKeys(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Query("project = AURORA"))
	site.PushPage(t, id, 5, hubtest.Snapshot("AURORA-1"), hubtest.Snapshot("AURORA-2"))
	same(t, "after a page", progress(t, site, id), [2]int{2, 5})
	site.PushPage(t, id, 5, hubtest.Snapshot("AURORA-2"), hubtest.Snapshot("AURORA-3"))
	same(t, "after a page that repeats one", progress(t, site, id), [2]int{3, 5})
	site.PushPage(t, id, 5, hubtest.Snapshot("AURORA-1"), hubtest.Snapshot("AURORA-2"))
	same(t, "after a page again", progress(t, site, id), [2]int{3, 5})
	site.Push(t, hubtest.Snapshot("AURORA-9"))
	same(t, "after a push on the agent's own account", progress(t, site, id), [2]int{3, 5})
}

func TestProgressBeginsAnewWithEachDelivery(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Query("project = AURORA"))
	site.PushPage(t, id, 5, hubtest.Snapshot("AURORA-1"), hubtest.Snapshot("AURORA-2"))
	site.ClaimOf(t, id)
	if progress := site.Command(t, id).Progress; progress != nil {
		same(t, "after the redelivery", progress.Done, 0)
	}
	site.PushPage(t, id, 5, hubtest.Snapshot("AURORA-2"))
	same(t, "after a page", progress(t, site, id), [2]int{1, 5})
}

func TestOtherKindsHaveNoProgress(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	batch := site.Submit(t, hubtest.Comment("AURORA-1", "a"), hubtest.Creation("new:1"))
	same(t, "comment", site.Command(t, batch.CommandID(0)).Progress, nil)
	same(t, "creation", site.Command(t, batch.CommandID(1)).Progress, nil)
}

func TestProgressMakesAnEventAtMostOnceASecond(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	id := claimed(t, site, hubtest.Query("project = AURORA"))
	began := time.Now()
	for _, snapshot := range snapshots(20) {
		site.PushPage(t, id, 20, snapshot)
	}
	seconds := int(time.Since(began)/time.Second) + 1
	told := 0
	for _, change := range site.Command(t, id).History {
		if change.Cause == "PROGRESS" {
			told++
		}
	}
	if told < 1 || told > seconds+1 {
		t.Errorf("20 pages in %d seconds made %d events of progress", seconds, told)
	}
	same(t, "progress", progress(t, site, id), [2]int{20, 20})
}

func TestPagesForARefreshThatHasEndedAreStoredAllTheSame(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	done := claimed(t, site, hubtest.Refresh("AURORA-1"))
	site.Done(t, done)
	cancelled := claimed(t, site, hubtest.Refresh("AURORA-2"))
	site.Cancel(t, true, cancelled)
	for id, key := range map[string]string{done: "AURORA-1", cancelled: "AURORA-2"} {
		was := site.Command(t, id).Status
		same(t, "stored", site.PushPage(t, id, 1, hubtest.Snapshot(key)).Stored, 1)
		same(t, "in the mirror", site.Issue(t, key) != nil, true)
		is(t, site, id, was)
	}
}

func TestAPageOfAnUnknownRefreshIsNotFound(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	site.Agent.Refused(t, "NOT_FOUND", hubtest.PushIssues,
		vars{"issues": []vars{hubtest.Snapshot("AURORA-1")}, "command": "999999999"})
	same(t, "stored of a refused one", site.Issue(t, "AURORA-1"), nil)
}
