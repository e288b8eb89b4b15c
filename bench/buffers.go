package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// mostBuffers is how many a statement of a claim or a report may touch, whatever else is in the tables.
const mostBuffers = 20

// touches collects what each statement of a claim and a report touched.
type touches struct {
	// order is that in which the statements first came; most has the most that each touched, verbs who sent it.
	order []string
	most  map[string]int
	verbs map[string][]string
}

func newTouches() *touches { return &touches{most: map[string]int{}, verbs: map[string][]string{}} }

func (t *touches) add(touched []touch) {
	for _, one := range touched {
		if _, known := t.most[one.sql]; !known {
			t.order = append(t.order, one.sql)
		}

		t.most[one.sql] = max(t.most[one.sql], one.buffers)

		if !slices.Contains(t.verbs[one.sql], one.verb) {
			t.verbs[one.sql] = append(t.verbs[one.sql], one.verb)
		}
	}
}

// figures has a line a statement.
func (t *touches) figures() []figure {
	var figures []figure

	for _, sql := range t.order {
		figures = append(figures, figure{
			Row: "buffers", Work: fmt.Sprintf("`%s`, sent by %s", beginning(sql), strings.Join(t.verbs[sql], ", ")),
			Hub: "buffers", Values: []float64{float64(t.most[sql])}, Mark: within(mostBuffers),
		})
	}

	return figures
}

// beginning tells a statement by what it begins with; what goes before its verb or its source is left out.
func beginning(sql string) string {
	const enough = 60

	words := []rune(strings.Join(strings.Fields(sql), " "))
	if len(words) > enough {
		return string(words[:enough]) + "…"
	}

	return string(words)
}

// explainAll claims and reports in all the ways there are, with each statement explained: of the site with the long
// queue what any command needs, of another site in the same tables what only a creation does.
func (g *grown) explainAll(ctx context.Context, touched *touches, state string) (err error) {
	explained := newExplainer()
	defer explained.close()

	store, traced, err := openQueue(ctx, g.url, explained)
	if err != nil {
		return err
	}
	defer store.Close()

	if err := g.explainPlain(ctx, explained, traced); err != nil {
		return fmt.Errorf("explain with %s: %w", state, err)
	}

	if err := g.explainCreation(ctx, explained, traced, state); err != nil {
		return fmt.Errorf("explain with %s: %w", state, err)
	}

	touched.add(explained.touched)

	return nil
}

func (g *grown) explainPlain(ctx context.Context, explained *explainer, traced *queue.Queue) error {
	by := g.works.by
	g.queued--

	if _, err := explainClaim(ctx, explained, traced, by, "claim"); err != nil {
		return err
	}

	handout, err := explainClaim(ctx, explained, traced, by, "redelivery")
	if err != nil {
		return err
	}

	err = explained.during("report", func() error {
		_, err := traced.Report(ctx, by, queue.Report{Command: handout.Command, Outcome: queue.OutcomeDone, Instance: "bench"})

		return err //nolint:wrapcheck // wrapped below
	})

	return wrap("report", err)
}

// explainCreation goes through a creation that is done, with one command that waits for it, and one that fails.
func (g *grown) explainCreation(ctx context.Context, explained *explainer, traced *queue.Queue, state string) error {
	by, err := g.site(ctx, "creations-"+strings.ReplaceAll(state, " ", "-"))
	if err != nil {
		return err
	}

	for _, outcome := range []queue.Outcome{queue.OutcomeDone, queue.OutcomeFailed} {
		if _, err := traced.CreateBatch(ctx, by, queue.BatchSpec{Commands: issueCommands(2, 1, 1)}); err != nil {
			return fmt.Errorf("create a batch: %w", err)
		}

		handout, err := explainClaim(ctx, explained, traced, by, "claim of a creation")
		if err != nil {
			return err
		}

		report := queue.Report{Command: handout.Command, Outcome: outcome, Instance: "bench"}

		if outcome == queue.OutcomeDone {
			made := queue.Key("AURORA-1")
			report.Key = &made
		} else {
			report.Error = &queue.ReportError{Message: "no such project"}
		}

		err = explained.during("report of a creation", func() error {
			_, err := traced.Report(ctx, by, report)

			return err //nolint:wrapcheck // wrapped below
		})
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}

		if outcome == queue.OutcomeDone {
			if err := (&agent{queue: traced, by: by}).cycle(ctx); err != nil {
				return err
			}
		}
	}

	return nil
}

func explainClaim(
	ctx context.Context, explained *explainer, traced *queue.Queue, by queue.Actor, verb string,
) (*queue.Handout, error) {
	var handout *queue.Handout

	err := explained.during(verb, func() error {
		var err error
		handout, _, err = traced.Claim(ctx, by, queue.ClaimCall{Instance: "bench"})

		return err //nolint:wrapcheck // wrapped below
	})
	if err == nil && handout == nil {
		err = errors.New("nothing was handed out")
	}

	return handout, wrap(verb, err)
}
