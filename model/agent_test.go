package model

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// What the agent does.

// drawInstance is the one that holds the seat, as a rule.
func (m *machine) drawInstance() string {
	if chance(m.t, "another instance", 15) {
		return pick(m.t, "instance", "one", "two", "")
	}

	return m.model.Seat.Instance
}

func (m *machine) claim() {
	instance := m.drawInstance()
	got, idle, err := m.hub.Claim(m.ctx(), m.agent(), queue.ClaimCall{Instance: instance})
	m.sayf("claim by %q: %s %s", instance, show(got), idle)
	m.tally("claim " + string(idle))
	m.must(err, "claim")

	want, reason := m.model.Claim(instance, m.afterHours)
	if idle != reason || (got == nil) != (want == nil) {
		m.fatal("handed out %s (%q), where the model says %s (%q)", show(got), idle, show(want), reason)
	}

	if got == nil {
		return
	}

	m.model.Paused(instance, got.PauseSeconds)

	if got.Command != want.ID || got.Delivery != want.Deliveries || Spelling(got.Params) != Spelling(want.Handed()) {
		m.fatal("handed out %s, where the model says %d, delivery %d, %s", show(got), want.ID, want.Deliveries, Spelling(want.Handed()))
	}

	if pace := m.model.Pace; got.PauseSeconds < pace.MinPauseSeconds || got.PauseSeconds > pace.MaxPauseSeconds {
		m.fatal("a pause of %d", got.PauseSeconds)
	}

	if got.DedupeKey != m.seen.dedupe[want.Chain] {
		m.fatal("dedupe key %s, where the chain has %s", got.DedupeKey, m.seen.dedupe[want.Chain])
	}

	m.noTempKey(got.Params)
}

// noTempKey looks for a temporary key without asking the model where one may stand.
func (m *machine) noTempKey(p queue.Params) {
	if issue, ok := p.(queue.EnsureIssue); ok {
		issue.TempKey, issue.Description = "", nil
		p = issue
	}

	// new:9 is made by nobody, and stands where it is just text.
	if text := strings.ReplaceAll(Spelling(p), `"new:9"`, ""); strings.Contains(text, `"new:`) {
		m.fatal("a temporary key leaves the hub: %s", text)
	}
}

// drawReported is the command in hand as a rule, else one that was handed out, or any.
func (m *machine) drawReported() *Command {
	if c := m.model.InHand(); c != nil && chance(m.t, "in hand", 75) {
		return c
	}

	var handed []*Command

	for _, c := range m.model.Ordered() {
		if c.Deliveries > 0 || chance(m.t, "never handed out", 5) {
			handed = append(handed, c)
		}
	}

	if len(handed) == 0 {
		return nil
	}

	return pick(m.t, "reported", handed...)
}

func (m *machine) report() {
	c := m.drawReported()
	if c == nil && !chance(m.t, "unknown", 10) {
		m.claim()

		return
	}

	r := queue.Report{Command: m.alien, Outcome: queue.OutcomeDone, Instance: m.drawInstance()}

	if c != nil {
		r.Command = c.ID
		r.Key = m.drawMade(c)
	}

	if chance(m.t, "failed", 35) {
		r.Outcome, r.Key = queue.OutcomeFailed, nil
		r.Error = &queue.ReportError{
			HTTPStatus: optional(m.t, "status", 400, 500),
			Message:    pick(m.t, "message", "no", "no\x00 \xff.", strings.Repeat("я", 1600)),
		}
	}

	if chance(m.t, "wrong", 4) {
		r.Error, r.Key = nil, pick(m.t, "wrong key", nil, new(queue.Key("new:1")), new(queue.Key("AUR")), new(queue.Key("AUR-1")))
	}

	if chance(m.t, "with issues", 35) {
		r.Issues, r.Missing = m.drawPush(2)
	}

	// The issue that was made or found may have moved by the time it is read.
	if len(r.Issues) > 0 && r.Key != nil && chance(m.t, "moved since", 25) {
		if issue := m.model.Issues[queue.Key(strings.ToUpper(string(*r.Key)))]; issue != nil {
			r.Issues[0].JiraID = issue.JiraID
		}
	}

	m.mirrored = true
	m.sayf("report %s", show(r))

	accepted, err := m.hub.Report(m.ctx(), m.agent(), r)

	want, refusal := m.model.Report(r)
	if !m.refused(err, refusal) && accepted != want {
		m.fatal("accepted %v, where the model says %v", accepted, want)
	}
}

// drawMade is the key that a creation is reported with. All tries of a chain find the one issue that bears their
// dedupe key, so they have one.
func (m *machine) drawMade(c *Command) *queue.Key {
	if !c.Creates() {
		return nil
	}

	if known := m.model.Known(c); known != "" && c.Result == "" {
		return &known
	}

	return new(pick(m.t, "made", append(realKeys, "bor-2")...))
}

// observe pushes one issue that tells of the command in hand; where there is none, it claims.
func (m *machine) observe() {
	if len(m.wanted()) == 0 {
		m.claim()

		return
	}

	push := queue.Push{Instance: m.drawInstance()}

	if chance(m.t, "missing", 20) {
		push.Missing = []queue.Key{pick(m.t, "missing key", m.wanted()...)}
	} else {
		snapshot := m.drawSnapshot()
		m.fulfil(&snapshot)
		push.Issues = append(push.Issues, snapshot)
	}

	m.push(push)
}

func (m *machine) pushIssues() {
	push := queue.Push{Instance: m.drawInstance()}
	push.Issues, push.Missing = m.drawPush(3)

	if c := m.model.InHand(); c != nil && (c.kind() == queue.KindRefresh || chance(m.t, "no refresh", 2)) {
		push.Refresh = c.ID
	} else if chance(m.t, "for another", 3) {
		push.Refresh = m.drawIDs()[0]
	}

	push.Total = optional(m.t, "total", 3, 7)
	m.push(push)
}

func (m *machine) push(push queue.Push) {
	m.mirrored = true
	m.sayf("pushIssues %s", show(push))

	got, err := m.hub.PushIssues(m.ctx(), m.agent(), push)

	confirmed, refusal := m.model.Push(push)
	if m.refused(err, refusal) {
		return
	}

	var want []queue.CommandID
	if confirmed != nil {
		want = append(want, confirmed.ID)
	}

	if confirmed != nil {
		m.tally("confirmed " + string(confirmed.kind()))
	}

	if fmt.Sprint(got.Confirmed) != fmt.Sprint(want) || got.Stored != len(push.Issues) {
		m.fatal("confirmed %v, where the model says %v", got.Confirmed, want)
	}
}

func (m *machine) heartbeat() {
	beat := queue.Beat{
		Instance: pick(m.t, "instance", "one", "one", "two", ""),
		Version:  optional(m.t, "version", "1", "2"), Problem: optional(m.t, "problem", "no login"),
	}
	m.sayf("heartbeat %s", show(beat))

	got, err := m.hub.Heartbeat(m.ctx(), m.agent(), beat)
	if m.refused(err, m.model.Heartbeat(beat)) {
		return
	}

	if want := m.model.Agents[beat.Instance]; show(got.Version)+show(got.Problem) != show(want.Version)+show(want.Problem) {
		m.fatal("agent %s, where the model says %s", show(got), show(want))
	}
}

func (m *machine) pushJira() {
	jira := queue.Jira{BaseURL: "https://jira.example", Statuses: []string{"Open", "Done"}}

	for _, field := range []queue.JiraField{{ID: "f3", Name: "Effort"}, {ID: "f4", Name: "Effort"}, {ID: "Effort", Name: "f1"}} {
		if rapid.Bool().Draw(m.t, "field "+field.ID) {
			jira.Fields = append(jira.Fields, field)
		}
	}

	for _, linkType := range []queue.JiraLinkType{
		{Name: "Relates", Outward: "relates to", Inward: "relates to"},
		{Name: "Blocks", Outward: "blocks", Inward: "is blocked by"},
		{Name: "Odd"},
	} {
		if rapid.Bool().Draw(m.t, "type "+linkType.Name) {
			jira.LinkTypes = append(jira.LinkTypes, linkType)
		}
	}

	m.sayf("pushJira %s", show(jira))
	m.model.Jira = &jira

	_, err := m.hub.PushJira(m.ctx(), m.agent(), jira)
	m.must(err, "push Jira")
}
