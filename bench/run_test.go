package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// It measures on a server that waits for its disk, which none of the test's own does, so it starts one as it is meant to.
func TestARunPrintsItsTableAndWritesThePage(t *testing.T) {
	t.Parallel()

	page := filepath.Join(t.TempDir(), "performance.md")
	if err := os.WriteFile(page, []byte(figuresBegin+figuresEnd), 0o600); err != nil {
		t.Fatal(err)
	}

	var out, errs bytes.Buffer

	// How fast it is here says nothing, so a mark may be missed.
	code := run([]string{"one-site", "many-sites", "--pairs", "1", "--cycles", "20", "--write", "--docs", page}, &out, &errs)
	if code != exitReached && code != exitMissed || errs.Len() > 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}

	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}

	for _, text := range []string{out.String(), string(written)} {
		for _, row := range []string{"| one-site | ", "| many-sites | "} {
			if strings.Count(text, row) != 1 {
				t.Errorf("%q is not there once:\n%s", row, text)
			}
		}
	}

	if !strings.Contains(string(written), "`go run ./bench one-site many-sites --pairs 1 ") {
		t.Errorf("the page does not name its command:\n%s", written)
	}
}

func TestAWrongCommandLineIsOneLineAndExit2(t *testing.T) {
	t.Parallel()

	for _, args := range [][]string{{"no-such-row"}, {"--pairs", "0"}, {"--pairs", "many"}, {"--million", "10"}, {"--subscribers", "99"}, {"--no-such-flag"}} {
		var out, errs bytes.Buffer

		if code := run(args, &out, &errs); code != exitUsage || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
}

func TestOnlyAFullRunCountsAsWhole(t *testing.T) {
	t.Parallel()

	full := options{Pairs: 5, Cycles: 2000, Million: 1_000_000, Mirror: 1_000_000, Subscribers: 10_000, Changes: 20}
	if !full.whole() {
		t.Error("a run of everything is not whole")
	}

	for name, change := range map[string]func(o *options){
		"a row alone":     func(o *options) { o.Rows = []string{"one-site"} },
		"few pairs":       func(o *options) { o.Pairs = 4 },
		"few commands":    func(o *options) { o.Million = 50_000 },
		"a small mirror":  func(o *options) { o.Mirror = 50_000 },
		"few subscribers": func(o *options) { o.Subscribers = 1000 },
		"a quick one":     func(o *options) { o.Quick = true },
	} {
		changed := full
		change(&changed)

		if err := changed.settle(); err != nil {
			t.Fatal(err)
		}

		if changed.whole() {
			t.Errorf("%s is whole", name)
		}
	}
}
