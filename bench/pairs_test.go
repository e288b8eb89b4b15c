package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"
)

func TestSidesAlternateAndTheFirstRoundIsNotCounted(t *testing.T) {
	t.Parallel()

	var steps []string

	step := func(name string) func(context.Context) error {
		return func(context.Context) error {
			steps = append(steps, name)

			return nil
		}
	}

	b := &bench{options: &options{Pairs: 2}, quiet: step("quiet"), out: io.Discard}

	times, err := b.alternate(t.Context(),
		side{prepare: step("prepare"), run: step("floor")}, side{load: step("load"), run: step("hub")})
	if err != nil {
		t.Fatal(err)
	}

	round := []string{"prepare", "quiet", "floor", "load", "quiet", "hub"}
	if want := slices.Concat(round, round, round); !slices.Equal(steps, want) {
		t.Errorf("the steps were %v instead of %v", steps, want)
	}

	if len(times) != 2 || len(times[0]) != 2 || len(times[1]) != 2 {
		t.Errorf("two pairs of two sides gave %v", times)
	}
}

func TestAnErrorOfOneSideEndsTheMeasurement(t *testing.T) {
	t.Parallel()

	broken := errors.New("broken")
	nothing := func(context.Context) error { return nil }
	b := &bench{options: &options{Pairs: 2}, quiet: nothing, out: io.Discard}

	for name, s := range map[string]side{
		"prepare": {prepare: func(context.Context) error { return broken }, run: nothing},
		"load":    {load: func(context.Context) error { return broken }, run: nothing},
		"run":     {run: func(context.Context) error { return broken }},
	} {
		if _, err := b.alternate(t.Context(), s); !errors.Is(err, broken) {
			t.Errorf("%s failed, and the error is %v", name, err)
		}
	}
}

func TestTheMedianIsOfTheRatiosOfPairs(t *testing.T) {
	t.Parallel()

	floor := []time.Duration{100, 400, 300}
	hub := []time.Duration{200, 500, 600}

	if got := median(ratios(floor, hub)); got != 0.5 {
		t.Errorf("the median of 1/2, 4/5 and 1/2 is %v", got)
	}

	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("the median of 1, 2, 3 and 4 is %v", got)
	}
}
