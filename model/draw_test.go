package model

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// Few keys, so that commands, snapshots and notes meet.
var (
	realKeys = []queue.Key{"AUR-1", "AUR-2", "AUR-3", "BOR-1", "BOR-2"} //nolint:gochecknoglobals // a constant
	tempKeys = []queue.Key{"new:1", "new:2", "new:3"}                   //nolint:gochecknoglobals // a constant
)

// evenly draws a number below n. rapid's own ranges and samples favour small ones, and so the first of a list, by far.
func evenly(n int) *rapid.Generator[int] {
	const bits = 10

	return rapid.Map(rapid.SliceOfN(rapid.Bool(), bits, bits), func(drawn []bool) int {
		number := 0
		for _, bit := range drawn {
			number *= 2
			if bit {
				number++
			}
		}

		return number * n >> bits
	})
}

func pick[T any](t *rapid.T, what string, from ...T) T { return from[evenly(len(from)).Draw(t, what)] }

// chance shrinks to no.
func chance(t *rapid.T, what string, percent int) bool {
	return evenly(100).Draw(t, what) >= 100-percent
}

func optional[T any](t *rapid.T, what string, from ...T) *T {
	if !chance(t, what+" given", 50) {
		return nil
	}

	value := pick(t, what, from...)

	return &value
}

func (m *machine) operator() queue.Actor {
	return queue.Actor{Site: m.site, Name: pick(m.t, "operator", "ann", "ann", "ann", "bob")}
}

func shuffled[T any](t *rapid.T, list []T) []T {
	var out []T
	for i, item := range list {
		out = slices.Insert(out, evenly(i+1).Draw(t, "place"), item)
	}

	return out
}
