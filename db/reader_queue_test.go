package db

import (
	"reflect"
	"testing"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestQueueIsOfThePresentVersion(t *testing.T) {
	d := migrated(t)
	f := mixed(t, d, "main")
	filledSite(t, d, "other")
	head := f.addEvent(queue.EventPace, nil)
	run(t, d, `UPDATE sites SET pace = '{"minPauseSeconds":1,"maxPauseSeconds":2,"paused":true,"pausedBy":"ann",
		"pausedAt":"2026-11-30T09:00:00.123456+03:00","pauseAfterFailures":3,
		"workingHours":{"timeZone":"Europe/Moscow","days":[1,5],"from":"09:00","to":"18:00"}}' WHERE id = $1`, f.site)

	ann, at, three := "ann", morning(), 3
	want := &queue.Overview{
		Counts: queue.Counts{Queued: 3, Claimed: 1, Done: 3, Failed: 1, Cancelled: 1, Skipped: 1, Confirmed: 1},
		Pace: queue.Pace{
			MinPauseSeconds: 1, MaxPauseSeconds: 2, Paused: true, PausedBy: &ann, PausedAt: &at, PauseAfterFailures: &three,
			WorkingHours: &queue.WorkingHours{TimeZone: "Europe/Moscow", Days: []int{1, 5}, From: "09:00", To: "18:00"},
		},
		Cursor: head,
	}

	got, err := d.Queue(t.Context(), f.site)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}

	if got, err := d.Head(t.Context(), f.site); err != nil || got != head {
		t.Errorf("head %v, %v", got, err)
	}
}

func TestANewSiteHasTheDefaultPaceAndAnEmptyLog(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")

	state, err := d.Queue(t.Context(), f.site)
	if err != nil || state.Counts != (queue.Counts{}) || !reflect.DeepEqual(state.Pace, queue.DefaultPace()) || state.Cursor.Seq != 0 {
		t.Errorf("%+v, %v", state, err)
	}

	if other, err := d.Head(t.Context(), other.site); err != nil || other.Mark == state.Cursor.Mark {
		t.Errorf("two logs with one mark: %v, %v", other, err)
	}

	if _, err := d.Queue(t.Context(), 99); queue.CodeOf(err) != queue.NotFound {
		t.Errorf("of no site: %v", err)
	}

	if _, err := d.Log(t.Context(), 99, queue.LogQuery{First: 1}); queue.CodeOf(err) != queue.NotFound {
		t.Errorf("the log of no site: %v", err)
	}
}

func TestJiraIsNilBeforeTheAgentToldOfIt(t *testing.T) {
	d := migrated(t)
	f := filledSite(t, d, "main")

	if jira, err := d.Jira(t.Context(), f.site); err != nil || jira != nil {
		t.Fatalf("%v, %v", jira, err)
	}

	run(t, d, `UPDATE sites SET jira = '{"baseUrl":"https://jira.example","deployment":"Server","version":"9.12",
		"fields":[{"id":"customfield_1","name":"Points","schema":"number"}],"linkTypes":[{"name":"Blocks","outward":"blocks","inward":"is"}],
		"projects":[{"key":"A","name":"Aurora","issueTypes":["Task"]}],"statuses":["Open"],
		"sprints":[{"id":"1","name":"S","state":"active"}],"toldAt":"2026-11-30T06:00:00Z"}'`)

	number := "number"
	want := &queue.Jira{
		BaseURL: "https://jira.example", Deployment: "Server", Version: "9.12",
		Fields:    []queue.JiraField{{ID: "customfield_1", Name: "Points", Schema: &number}},
		LinkTypes: []queue.JiraLinkType{{Name: "Blocks", Outward: "blocks", Inward: "is"}},
		Projects:  []queue.JiraProject{{Key: "A", Name: "Aurora", IssueTypes: []string{"Task"}}},
		Statuses:  []string{"Open"}, Sprints: []queue.JiraSprint{{ID: "1", Name: "S", State: "active"}},
		ToldAt: morning().Truncate(time.Second),
	}

	if jira, err := d.Jira(t.Context(), f.site); err != nil || !reflect.DeepEqual(jira, want) {
		t.Errorf("got  %+v, %v\nwant %+v", jira, err, want)
	}
}

func TestAgentsOfTheWeekAreListedLastSeenFirst(t *testing.T) {
	d := migrated(t)
	f, other := filledSite(t, d, "main"), filledSite(t, d, "other")

	seen := func(site queue.SiteID, name, instance, ago string) {
		run(t, d, `INSERT INTO agents (site_id, name, instance, version, problem, last_seen_at, claim_number)
			VALUES ($1, $2, $3, '1.0', 'no login', clock_timestamp() - $4::interval, 5)`, site, name, instance, ago)
	}
	seen(f.site, "agent", "seat", "6 days")
	seen(f.site, "agent", "just", "10 seconds")
	seen(f.site, "agent", "", "2 minutes")
	seen(f.site, "other", "seat", "6 days 1 hour")
	seen(f.site, "agent", "gone", "8 days")
	seen(other.site, "agent", "elsewhere", "1 second")

	seat := func(ago string, inHand int) {
		run(t, d, `UPDATE site_states SET seat_instance = 'seat', seat_seen_at = clock_timestamp() - $2::interval,
			seat_pause_seconds = 30, in_hand = $3 WHERE site_id = $1`, f.site, ago, inHand)
	}

	type stand struct {
		Name, Instance string
		Online         bool
	}

	for _, test := range []struct {
		name   string
		ago    string
		inHand int
		want   []stand
	}{
		{"the seat's own time counts", "5 seconds", 0, []stand{
			{"agent", "seat", true}, {"agent", "just", true}, {"agent", "", false}, {"other", "seat", false},
		}},
		{"a minute later it is free", "75 seconds", 0, []stand{
			{"agent", "just", true}, {"agent", "seat", false}, {"agent", "", false}, {"other", "seat", false},
		}},
		{"with a command in hand it is kept for its pause", "75 seconds", 7, []stand{
			{"agent", "just", true}, {"agent", "seat", true}, {"agent", "", false}, {"other", "seat", false},
		}},
		{"and no longer", "95 seconds", 7, []stand{
			{"agent", "just", true}, {"agent", "seat", false}, {"agent", "", false}, {"other", "seat", false},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			seat(test.ago, test.inHand)

			agents, err := d.Agents(t.Context(), f.site)
			if err != nil {
				t.Fatal(err)
			}

			got := make([]stand, 0, len(agents))
			for _, agent := range agents {
				got = append(got, stand{agent.Name, agent.Instance, agent.Online})

				if *agent.Version != "1.0" || *agent.Problem != "no login" || agent.ClaimNumber != 5 || agent.LastSeenAt.Location() != time.UTC {
					t.Errorf("%+v", agent)
				}
			}

			same(t, "agents", got, test.want...)
		})
	}
}
