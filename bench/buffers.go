package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// mostBuffers is how many a statement of a claim or a report may touch, whatever else is in the tables.
const mostBuffers = 20

// touches collects what each statement of a claim and a report touched.
type touches struct {
	// order is that in which the statements first came; all has what each touched, most by whom it touched the most.
	order []string
	all   map[string][]float64
	most  map[string]touch
}

func newTouches() *touches { return &touches{all: map[string][]float64{}, most: map[string]touch{}} }

func (t *touches) add(touched []touch) {
	for _, one := range touched {
		most, known := t.most[one.sql]
		if !known {
			t.order = append(t.order, one.sql)
		}

		if one.buffers >= most.buffers {
			t.most[one.sql] = one
		}

		t.all[one.sql] = append(t.all[one.sql], float64(one.buffers))
	}
}

// figures has a line a statement, by the most that it touched.
func (t *touches) figures() []figure {
	var figures []figure

	for _, sql := range t.order {
		figures = append(figures, figure{
			Row: "buffers", Work: fmt.Sprintf("`%s`, the most in a %s", abridged(sql), t.most[sql].verb),
			Values: t.all[sql], Worst: true, Mark: within(mostBuffers),
		})
	}

	return figures
}

// abridged tells a statement by how it begins and ends.
func abridged(sql string) string {
	const begins, ends = 40, 70

	words := []rune(strings.Join(strings.Fields(sql), " "))
	if len(words) <= begins+ends {
		return string(words)
	}

	return string(words[:begins]) + " … " + string(words[len(words)-ends:])
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

		return err
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

		err = explained.during("report of a creation, "+string(outcome), func() error {
			_, err := traced.Report(ctx, by, report)

			return err
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

		return err
	})
	if err == nil && handout == nil {
		err = errors.New("nothing was handed out")
	}

	return handout, wrap(verb, err)
}
