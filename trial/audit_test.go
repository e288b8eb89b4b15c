package trial

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// The audit is what the trial believes. These tests show that it has nothing against a site where all is well, and that
// it notices each thing that must not be.

func TestTheAuditHasNothingAgainstASiteWhereAllIsWell(t *testing.T) {
	t.Parallel()

	if faults := wellTold().faults(); len(faults) > 0 {
		t.Error(shorten(faults))
	}
}

func TestTheAuditNoticesWhatMustNotBe(t *testing.T) {
	t.Parallel()

	for name, told := range map[string]struct {
		notice string
		tell   func() *story
	}{
		"a gap in the log": {"the log has a gap", func() *story {
			s := wellTold()
			s.tables.events[2].seq++

			return s
		}},
		"the log ends before its head": {"the site's head is", func() *story {
			s := wellTold()
			s.tables.head++

			return s
		}},
		"a command ended twice": {"it went from done to failed", func() *story {
			s := wellTold()
			s.change(comment, failed, "reported", nil)

			return s
		}},
		"a status left a final one": {"it went from done to queued", func() *story {
			s := wellTold()
			s.change(comment, queued, "late_report", nil)

			return s
		}},
		"handed out before its issue exists": {"handed out of turn: 11 is next", func() *story {
			s := begin()
			s.handOut(comment, "claimed", `{"key": "", "body": "new:2"}`)

			return s
		}},
		"handed out of turn": {"handed out of turn: 11 is next", func() *story {
			s := begin()
			s.handOut(sprint, "claimed", givenSprint)

			return s
		}},
		"two claimed at once": {"handed out while command 11 is claimed", func() *story {
			s := begin()
			s.handOut(creation, "claimed", givenCreation)
			s.handOut(sprint, "claimed", givenSprint)

			return s
		}},
		"a fourth delivery": {"4 deliveries after 3", func() *story {
			s := begin()
			s.handOut(creation, "claimed", givenCreation)

			for range mostDeliveries {
				s.handOut(creation, "redelivered", givenCreation)
			}

			return s
		}},
		"given up too soon": {"given up after 1 deliveries", func() *story {
			s := wellTold()
			s.change(sprint, failed, "delivery_limit", func(after *state) { after.err = new(notReported) })

			return s
		}},
		"handed out while paused": {"handed out while paused (true)", func() *story {
			s := begin()
			s.tables.paused = true
			s.tables.events = append(s.tables.events, event{seq: 4, kind: "pace", body: json.RawMessage(`{"paused": true}`)})
			s.handOut(creation, "claimed", givenCreation)

			return s
		}},
		"handed out of a batch on hold": {"handed out of turn: 0 is next", func() *story {
			s := begin()
			s.tables.batches[batchID].held = true
			s.tables.events = append(s.tables.events, event{seq: 4, kind: "batch", batch: batchID})
			s.handOut(creation, "claimed", givenCreation)

			return s
		}},
		"skipped for no reason": {"no creation that it waits for explains it", func() *story {
			s := begin()
			s.change(comment, skipped, "dependency_failed", func(after *state) { after.err = new("задача new:1 не создана") })

			return s
		}},
		"the tables have another status than the log": {"by the tables", func() *story {
			s := wellTold()
			s.tables.commands[comment].state.status = failed

			return s
		}},
		"the tables have another key than the log": {"by the tables", func() *story {
			s := wellTold()
			s.tables.commands[creation].state.resultKey = new("AURORA-8")

			return s
		}},
		"a temporary key was handed out": {`handed out with .key = "new:1", not "AURORA-7"`, func() *story {
			s := begin()
			s.handOut(creation, "claimed", givenCreation)
			s.create("AURORA-7")
			s.handOut(comment, "claimed", `{"key": "new:1", "body": "new:2"}`)

			return s
		}},
		"another key was handed out": {`handed out with .key = "AURORA-8", not "AURORA-7"`, func() *story {
			s := begin()
			s.handOut(creation, "claimed", givenCreation)
			s.create("AURORA-7")
			s.handOut(comment, "claimed", `{"key": "AURORA-8", "body": "new:2"}`)

			return s
		}},
		"a delivery was answered twice": {"delivery 1 of command 11 was answered twice", func() *story {
			s := wellTold()
			s.record.handedOut(s.record.handouts[0])

			return s
		}},
		"a delivery was never answered": {"3 deliveries were answered, the log has 4", func() *story {
			s := wellTold()
			s.record.handouts = s.record.handouts[1:]

			return s
		}},
		"an accepted report is lost": {"command 12 was accepted as done, and is not", func() *story {
			s := wellTold()
			s.record.reported(acceptedReport{command: strconv.Itoa(sprint), status: done})

			return s
		}},
		"a batch is lost": {"batch 2 of operator was answered for, and is lost", func() *story {
			s := wellTold()
			lost := s.answer(comment)
			lost.ID = "2"
			s.record.made("", lost)

			return s
		}},
		"a command of a batch is lost": {"command 13, at 3 of batch 1, was answered for, and is lost", func() *story {
			s := wellTold()
			s.record.batches = map[string]answered{}
			s.record.made("", s.answer(comment, creation, sprint, 13))

			return s
		}},
		"one client key made two batches": {"made two batches", func() *story {
			s := wellTold()
			s.tables.batches[batchID].clientKey = new("k")
			s.tables.batches[2] = &batchRow{id: 2, author: "operator", clientKey: new("k"), status: "pending"}

			return s
		}},
		"what a cancel named is not cancelled": {"command 12 was answered for as cancelled, and is not", func() *story {
			s := wellTold()
			s.record.calledOff(&cancelAnswer{Cancelled: []ref{{strconv.Itoa(sprint)}}})

			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			if faults := strings.Join(told.tell().faults(), "\n"); !strings.Contains(faults, told.notice) {
				t.Errorf("the audit noticed %q, not that %s", faults, told.notice)
			}
		})
	}
}

func TestTheAuditNoticesWrongCounts(t *testing.T) {
	t.Parallel()

	for name, spoil := range map[string]func(*tables){
		"of the site":           func(t *tables) { t.counts[0]++ },
		"of a batch":            func(t *tables) { t.batches[batchID].counts[0]++ },
		"the status of a batch": func(t *tables) { t.batches[batchID].status = "finished" },
		"what is in hand":       func(t *tables) { t.inHand = 0 },
		"who waits":             func(t *tables) { t.needs = map[need]bool{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := wellTold()
			_ = s.faults() // counts
			spoil(s.tables)

			if len(s.tables.faultsOfLog()) == 0 {
				t.Error("the audit noticed nothing")
			}
		})
	}
}
