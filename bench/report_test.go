package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAMarkIsReachedByTheMedian(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		mark    mark
		values  []float64
		reached bool
	}{
		{atLeast(0.55), []float64{0.3, 0.55, 0.9}, true},
		{atLeast(0.55), []float64{0.9, 0.54, 0.3}, false},
		{within(1.15), []float64{2, 1.15, 1}, true},
		{within(1.15), []float64{2, 1.16, 1}, false},
		{onlyShown(), []float64{1000}, true},
	} {
		f := figure{Values: c.values, Mark: c.mark}
		if f.reached() != c.reached {
			t.Errorf("%v with the mark %q: reached is %t", c.values, c.mark, f.reached())
		}

		if r := (&report{Figures: []figure{{Values: []float64{1}, Mark: onlyShown()}, f}}); r.reached() != c.reached {
			t.Errorf("a report with %v and the mark %q: reached is %t", c.values, c.mark, r.reached())
		}
	}
}

func TestOfBuffersTheMostCounts(t *testing.T) {
	t.Parallel()

	touched := newTouches()
	touched.add([]touch{{"claim", "SELECT 1", 4}, {"claim", "SELECT 2", 21}})
	touched.add([]touch{{"report", "SELECT 1", 20}, {"report", "SELECT 2", 3}})

	figures := touched.figures()
	if len(figures) != 2 || !figures[0].reached() || figures[1].reached() {
		t.Errorf("of 4 and 20, and 21 and 3 buffers there came %+v", figures)
	}

	if got := figures[1].value(); got != "21 (3–21)" {
		t.Errorf("21 and 3 buffers are written %q", got)
	}
}

func TestFiguresReplaceWhatStoodBetweenTheMarkersAndNothingElse(t *testing.T) {
	t.Parallel()

	page := filepath.Join(t.TempDir(), "performance.md")
	before, after := "# Speed\n\nWords.\n\n", "\n\nMore words.\n"

	if err := os.WriteFile(page, []byte(before+figuresBegin+"\nold\n"+figuresEnd+after), 0o600); err != nil {
		t.Fatal(err)
	}

	r := &report{Run: []string{"- `go run ./bench` at commit abc"}, Figures: []figure{
		{Row: "one-site", Work: "claim and report", Floor: "2/s", Hub: "1/s", Values: []float64{0.5, 0.6, 0.7}, Mark: atLeast(0.55)},
	}}

	for range 2 {
		if err := r.write(page); err != nil {
			t.Fatal(err)
		}
	}

	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}

	figures, ours := strings.CutPrefix(string(written), before+figuresBegin)
	figures, theirs := strings.CutSuffix(figures, figuresEnd+after)

	switch {
	case !ours || !theirs:
		t.Errorf("the words around the figures changed:\n%s", written)
	case strings.Contains(figures, "old"):
		t.Errorf("the old figures are still there:\n%s", figures)
	case strings.Count(figures, "| one-site | claim and report | 2/s | 1/s | 0.60 (0.50–0.70) | at least 0.55 | reached |") != 1:
		t.Errorf("the figures are not there once:\n%s", figures)
	case strings.Count(figures, r.Run[0]) != 1:
		t.Errorf("the command is not there once:\n%s", figures)
	}
}

func TestAPageWithoutTheMarkersIsLeftAlone(t *testing.T) {
	t.Parallel()

	for _, page := range []string{"", "words", figuresBegin, figuresEnd, figuresEnd + figuresBegin} {
		if written, err := between(page, "figures"); err == nil {
			t.Errorf("%q became %q", page, written)
		}
	}
}

// The page that is written by default has the markers.
func TestThePageOfThisRepositoryTakesFigures(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile(filepath.Join("..", "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}

	if _, err := between(string(page), "figures"); err != nil {
		t.Error(err)
	}

	for _, row := range rowNames() {
		if !strings.Contains(string(page), "`"+row+"`") {
			t.Errorf("the page does not say what row %s means", row)
		}
	}
}
