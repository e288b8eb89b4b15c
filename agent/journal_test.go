package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

func openJournal(t *testing.T, dir string) *Journal {
	t.Helper()

	journal, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}

	return journal
}

func closeJournal(t *testing.T, journal *Journal) {
	t.Helper()

	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAJournalRemembersOverARestart(t *testing.T) {
	t.Parallel()

	dir := filepath.Join(t.TempDir(), "made", "here")
	journal := openJournal(t, dir)
	instance := journal.Instance()

	creation := queue.EnsureIssue{TempKey: "new:1", Summary: "Отчёт", Fields: queue.Fields{"n": "x"}}
	if err := journal.begin(begun{Command: "7", Kind: queue.KindIssue, DedupeKey: "d", Creation: &creation}); err != nil {
		t.Fatal(err)
	}

	snapshot := client.IssueSnapshot{Key: "A-1", Fields: client.FieldValues{"n": "x", "none": nil}, Links: []client.IssueLinkInput{}}
	if err := journal.report(&client.ReportInput{Command: "7", Outcome: client.OutcomeDone, Issues: []client.IssueSnapshot{snapshot}}); err != nil {
		t.Fatal(err)
	}

	closeJournal(t, journal)

	journal = openJournal(t, dir)
	defer closeJournal(t, journal)

	switch kept := journal.kept; {
	case journal.Instance() != instance:
		t.Errorf("the instance is %q, not %q", journal.Instance(), instance)
	case kept.Begun == nil || kept.Begun.Creation == nil || kept.Begun.Creation.Summary != "Отчёт":
		t.Errorf("the command is %+v", kept.Begun)
	case kept.Report == nil || kept.Report.Issues[0].Fields["n"] != "x":
		t.Errorf("the report is %+v", kept.Report)
	}
}

func TestASecondAgentOnTheSameJournalRefusesToStart(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	first := openJournal(t, dir)

	if _, err := OpenJournal(dir); err == nil || !strings.Contains(err.Error(), "another agent is running on the journal") {
		t.Errorf("got %v", err)
	}

	closeJournal(t, first)
	closeJournal(t, openJournal(t, dir))
}

func TestATornOrForeignJournalIsAClearErrorAndStaysAsItIs(t *testing.T) {
	t.Parallel()

	whole := filepath.Join(t.TempDir(), "whole")
	journal := openJournal(t, whole)

	if err := journal.begin(begun{Command: "7", Kind: queue.KindFields, DedupeKey: "d"}); err != nil {
		t.Fatal(err)
	}

	closeJournal(t, journal)

	content, err := os.ReadFile(filepath.Join(whole, journalName))
	if err != nil {
		t.Fatal(err)
	}

	foreign := map[string]string{
		"empty":                  "",
		"not JSON":               "[journal]\nbegun=7\n",
		"of another program":     `{"version": 3}`,
		"of another format":      strings.Replace(string(content), journalFormat, "sdlc-hub agent journal 2", 1),
		"without an instance":    `{"format": "` + journalFormat + `"}`,
		"twice":                  string(content) + string(content),
		"with a report on none":  `{"format": "` + journalFormat + `", "instance": "i", "report": {"command": "7", "outcome": "DONE"}}`,
		"with half a command":    `{"format": "` + journalFormat + `", "instance": "i", "begun": {"command": "7"}}`,
		"with an unknown member": `{"format": "` + journalFormat + `", "instance": "i", "later": true}`,
	}

	// The last two bytes are a brace and a line's end.
	for cut := 1; cut < len(content)-1; cut++ {
		foreign["torn at "+string(content[:cut])] = string(content[:cut])
	}

	dir := t.TempDir()

	for name, bad := range foreign {
		path := filepath.Join(dir, journalName)
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}

		if _, err := OpenJournal(dir); err == nil || !strings.Contains(err.Error(), "is no journal of this agent") {
			t.Errorf("a journal %.60s: got %v", name, err)
		}

		if after, err := os.ReadFile(path); err != nil || string(after) != bad {
			t.Errorf("a journal %.60s: it was changed", name)
		}
	}
}

func TestWhatIsOpenForOneHubNeverReachesAnother(t *testing.T) {
	t.Parallel()

	journal := openJournal(t, t.TempDir())
	defer closeJournal(t, journal)

	for _, step := range []error{
		journal.belongTo("hub", "jira"), journal.belongTo("other", "jira"), journal.belongTo("hub", "jira"),
		journal.begin(begun{Command: "7", Kind: queue.KindFields, DedupeKey: "d"}), journal.belongTo("hub", "jira"),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}

	for _, other := range [][2]string{{"other", "jira"}, {"hub", "other"}} {
		if err := journal.belongTo(other[0], other[1]); err == nil || !strings.Contains(err.Error(), "command 7 open") {
			t.Errorf("for %v got %v", other, err)
		}
	}
}
