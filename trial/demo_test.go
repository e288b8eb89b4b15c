package trial

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const countsOfDemo = `{ answer: queue { counts { queued claimed done failed skipped confirmedByState } } }`

// The three sample batches are a report that was lost, nine commands that go well, and an issue that cannot be made, with
// the two commands that hang on it and one that does not.
func TestTheDemonstrationShowsSuccessAFailureWithItsSkipsAndALostReport(t *testing.T) {
	t.Parallel()

	temporary := openFolder(t)
	at := newSetting(t, "", "TMPDIR="+temporary).with("HUB_DEMO_JIRA_LISTEN=" + freeAddress(t))

	demo := exec.CommandContext(t.Context(), hubProgram, "demo")
	demo.Env = at.env
	demo.Cancel = func() error { return demo.Process.Signal(syscall.SIGTERM) }

	var errs strings.Builder

	demo.Stderr = &errs

	out, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}

	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}

	operator := readDemo(out)
	if operator == "" {
		t.Fatalf("no operator's token was shown: %v\n%s", demo.Wait(), errs.String())
	}

	caller := newCaller("http://"+at.address, "operator", operator)

	var counts struct {
		Counts struct{ Queued, Claimed, Done, Failed, Skipped, ConfirmedByState int } `json:"counts"`
	}

	await(t, "the samples are done", func() bool {
		if err := caller.ask(t.Context(), countsOfDemo, nil, &counts); err != nil {
			t.Fatal(err)
		}

		return counts.Counts.Queued+counts.Counts.Claimed == 0 && counts.Counts.Done > 0
	})

	if c := counts.Counts; c.Done != 10 || c.Failed != 1 || c.Skipped != 2 || c.ConfirmedByState != 1 {
		t.Errorf("the samples came to %+v\n%s", c, errs.String())
	}

	if err := demo.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}

	if err := demo.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, errs.String())
	}

	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("it left %v behind, %v", left, err)
	}
}

// readDemo reads what the demonstration says until all of it is there, and gives the operator's token.
func readDemo(out io.Reader) (operator string) {
	token := regexp.MustCompile(`operator +(hub_\w+)`)

	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := token.FindStringSubmatch(lines.Text()); found != nil {
			operator = found[1]
		}

		if strings.Contains(lines.Text(), "simulated Jira") {
			return operator
		}
	}

	return ""
}
