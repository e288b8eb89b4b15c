package model

import (
	"time"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func (m *machine) setPace() {
	by := m.operator()
	pause := pick(m.t, "pause", [2]int{0, 0}, [2]int{0, 0}, [2]int{1000, 2000}, [2]int{2, 1})
	spec := queue.PaceSpec{MinPauseSeconds: pause[0], MaxPauseSeconds: pause[1]}

	// No run lasts until the day after tomorrow.
	far := (int(time.Now().UTC().Weekday())+2)%7 + 1
	today := queue.WorkingHours{TimeZone: "UTC", Days: []int{1, 2, 3, 4, 5, 6, 7}, From: "00:00", To: "00:00"}
	never := queue.WorkingHours{TimeZone: "UTC", Days: []int{far}, From: "10:00", To: "09:00"}

	spec.WorkingHours.Given = rapid.Bool().Draw(m.t, "hours given")
	spec.WorkingHours.Value = pick(m.t, "hours", nil, nil, &today, &never, &queue.WorkingHours{TimeZone: "Mars/Base", Days: []int{1}})
	spec.PauseAfterFailures.Given = rapid.Bool().Draw(m.t, "limit given")
	spec.PauseAfterFailures.Value = pick(m.t, "limit", nil, new(1), new(2), new(0))

	if !spec.WorkingHours.Given {
		spec.WorkingHours.Value = nil
	}

	if !spec.PauseAfterFailures.Given {
		spec.PauseAfterFailures.Value = nil
	}

	m.sayf("setPace %s by %s", show(spec), by.Name)

	got, err := m.hub.SetPace(m.ctx(), by, spec)
	if m.refused(err, m.model.SetPace(by.Name, spec)) {
		return
	}

	m.samePace(got)

	if spec.WorkingHours.Given {
		m.afterHours = spec.WorkingHours.Value != nil && len(spec.WorkingHours.Value.Days) == 1
	}
}

func (m *machine) pauseQueue() {
	by, reason := m.operator(), optional(m.t, "reason", "lunch")
	m.sayf("pauseQueue by %s", by.Name)
	m.model.PauseQueue(by.Name, reason)

	got, err := m.hub.PauseQueue(m.ctx(), by, reason)
	m.must(err, "pause")
	m.samePace(got)
}

func (m *machine) resumeQueue() {
	by := m.operator()
	m.sayf("resumeQueue by %s", by.Name)
	m.model.ResumeQueue(by.Name)

	got, err := m.hub.ResumeQueue(m.ctx(), by)
	m.must(err, "resume")
	m.samePace(got)
}

func (m *machine) samePace(got *queue.Pace) {
	if want := PaceRow(m.model.Pace); PaceRow(*got) != want {
		m.fatal("pace %s, where the model says %s", PaceRow(*got), want)
	}
}
