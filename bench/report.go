package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// report is all that one run measured.
type report struct {
	// Run says, in lines of Markdown, which command measured what on which machine.
	Run     []string
	Figures []figure
}

func (r *report) reached() bool {
	for _, figure := range r.Figures {
		if !figure.reached() {
			return false
		}
	}

	return true
}

// table is the figures in Markdown.
func (r *report) table() string {
	var b strings.Builder

	b.WriteString("| row | work | floor | hub | median (least–most) | must reach | |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")

	for _, f := range r.Figures {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", f.Row, f.Work, f.Floor, f.Hub, f.value(), f.Mark, f.verdict())
	}

	return b.String()
}

// The figures stand between these in docs/performance.md.
const (
	figuresBegin = "<!-- figures: written by make bench, nothing here is typed -->"
	figuresEnd   = "<!-- end of figures -->"
)

// write puts the figures into the page.
func (r *report) write(path string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the page of figures: %w", err)
	}

	written, err := between(string(page), strings.Join(r.Run, "\n")+"\n\n"+r.table())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}

	if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
		return fmt.Errorf("write the figures: %w", err)
	}

	return nil
}

// between replaces what stands between the two markers of a page.
func between(page, figures string) (string, error) {
	before, rest, begins := strings.Cut(page, figuresBegin)
	_, after, ends := strings.Cut(rest, figuresEnd)

	if !begins || !ends {
		return "", errors.New("the two comments that the figures go between are not there")
	}

	return before + figuresBegin + "\n\n" + strings.TrimSpace(figures) + "\n\n" + figuresEnd + after, nil
}

// describeRun says what must be known to repeat the run.
func describeRun(ctx context.Context, args []string, pg *postgres) []string {
	command := strings.TrimSpace("go run ./bench " + strings.Join(args, " "))

	return []string{
		fmt.Sprintf("- `%s` at commit %s, %s", command, commit(ctx), time.Now().UTC().Format(time.DateOnly)),
		fmt.Sprintf("- %s, %d processors (%s), Postgres %s (%s)", runtime.Version(), runtime.NumCPU(), processor(), pg.version, pg.kind),
	}
}

// commit names what was measured; "+" where files differ from it.
func commit(ctx context.Context) string {
	described, err := exec.CommandContext(ctx, "git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}

	name := strings.TrimSpace(string(described))

	// The page itself is what this run writes.
	changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "--", ".", ":!docs/performance.md").Output()
	if err != nil || len(changed) > 0 {
		name += " with changes"
	}

	return name
}

// processor is the machine's own name for its processor, where it tells.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}

	for line := range strings.Lines(string(info)) {
		if name, found := strings.CutPrefix(line, "model name"); found {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}

	return runtime.GOARCH
}
