package hubtest

import "testing"

// What the agent does. Each of these must succeed; what must be refused goes
// through Client.Refused.

// Claim asks for a command without waiting and without an instance; there must
// be one.
func (s *Site) Claim(t testing.TB) Claim {
	t.Helper()
	return s.ClaimAs(t, nil)
}

// ClaimAs is Claim by an instance, a text or nil.
func (s *Site) ClaimAs(t testing.TB, instance any) Claim {
	t.Helper()
	payload := Ask[ClaimPayload](t, s.Agent, ClaimNext, Vars{"instance": instance})
	if payload.Claim == nil {
		t.Fatalf("nothing was handed out: %s", text(payload.IdleReason))
	}
	if payload.IdleReason != nil {
		t.Fatalf("a command was handed out with the idle reason %s", *payload.IdleReason)
	}
	return *payload.Claim
}

// ClaimOf is Claim where the command must be this one.
func (s *Site) ClaimOf(t testing.TB, id string) Claim {
	t.Helper()
	claim := s.Claim(t)
	if claim.Command.ID != id {
		t.Fatalf("command %s %s was handed out, not %s", claim.Command.ID, claim.Command.Kind, id)
	}
	return claim
}

// Idle asks for a command without waiting and without an instance, must get
// none, and returns the reason.
func (s *Site) Idle(t testing.TB) string {
	t.Helper()
	return s.IdleAs(t, nil)
}

// IdleAs is Idle by an instance, a text or nil.
func (s *Site) IdleAs(t testing.TB, instance any) string {
	t.Helper()
	payload := Ask[ClaimPayload](t, s.Agent, ClaimNext, Vars{"instance": instance})
	if payload.Claim != nil {
		t.Fatalf("command %s %s was handed out", payload.Claim.Command.ID, payload.Claim.Command.Kind)
	}
	return text(payload.IdleReason)
}

// Report sends a report of these pairs of names and values.
func (s *Site) Report(t testing.TB, id, outcome string, more ...any) Reported {
	t.Helper()
	return Ask[Reported](t, s.Agent, ReportOutcome, Vars{"input": ReportInput(id, outcome, more...)})
}

// ReportInput is the input of a report.
func ReportInput(id, outcome string, more ...any) Vars {
	return with(Vars{"command": id, "outcome": outcome}, more)
}

// Done reports success, which must count.
func (s *Site) Done(t testing.TB, id string) {
	t.Helper()
	s.accepted(t, s.Report(t, id, "DONE"))
}

// Created reports that an ensure_issue made key, which must count.
func (s *Site) Created(t testing.TB, id, key string) {
	t.Helper()
	s.accepted(t, s.Report(t, id, "DONE", "key", key))
}

// Fail reports a refusal by Jira, which must count.
func (s *Site) Fail(t testing.TB, id string) {
	t.Helper()
	s.accepted(t, s.Report(t, id, "FAILED", "error", JiraError(400, "refused")))
}

// JiraError is the error of a report; status is a number or nil.
func JiraError(status any, message string) Vars {
	return Vars{"httpStatus": status, "message": message}
}

// Lose claims the command of this id three times without a report and asks
// once more, so that the limit fails it. It returns what that last claim gave.
func (s *Site) Lose(t testing.TB, id string) ClaimPayload {
	t.Helper()
	for range 3 {
		s.ClaimOf(t, id)
	}
	return Ask[ClaimPayload](t, s.Agent, ClaimNext, nil)
}

// Push sends snapshots on the agent's own account.
func (s *Site) Push(t testing.TB, snapshots ...Vars) Pushed {
	t.Helper()
	return Ask[Pushed](t, s.Agent, PushIssues, Vars{"issues": snapshots})
}

// PushPage sends a page of a refresh.
func (s *Site) PushPage(t testing.TB, refresh string, total any, snapshots ...Vars) Pushed {
	t.Helper()
	return Ask[Pushed](t, s.Agent, PushIssues, Vars{"issues": snapshots, "command": refresh, "total": total})
}

// PushMissing says that issues were not found.
func (s *Site) PushMissing(t testing.TB, keys ...string) Pushed {
	t.Helper()
	return Ask[Pushed](t, s.Agent, PushIssues, Vars{"issues": []Vars{}, "missing": keys})
}

// TellJira sends what the agent knows of its Jira: these fields, pairs of id
// and name.
func (s *Site) TellJira(t testing.TB, fields ...string) {
	t.Helper()
	told := []Vars{}
	for i := 0; i < len(fields); i += 2 {
		told = append(told, Vars{"id": fields[i], "name": fields[i+1]})
	}
	Ask[JiraTold](t, s.Agent, PushJira, Vars{"input": Vars{
		"baseUrl": "https://jira.example", "deployment": "Server", "version": "9.12.0", "fields": told,
	}})
}

// JiraTold is what of the Jira is looked at.
type JiraTold struct {
	BaseURL    string `json:"baseUrl"`
	Deployment string `json:"deployment"`
	Version    string `json:"version"`
	Fields     []struct {
		ID     string  `json:"id"`
		Name   string  `json:"name"`
		Schema *string `json:"schema"`
	} `json:"fields"`
	Statuses []string `json:"statuses"`
}

func (s *Site) accepted(t testing.TB, reported Reported) {
	t.Helper()
	if !reported.Accepted {
		t.Fatalf("the report on %s %s did not count: it is %s",
			reported.Command.ID, reported.Command.Kind, reported.Command.Status)
	}
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}
