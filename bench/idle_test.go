package main

import "testing"

func TestMemoryIsHeldAgainstTheFloorAndALimit(t *testing.T) {
	t.Parallel()

	all := []competitor{{name: floorName}, {name: hubName}, {name: stockName}}

	for _, c := range []struct {
		hub, floor float64
		size       int
		reached    bool
	}{
		{20, 10, 1000, true}, {21, 10, 1000, false}, {26, 20, 1000, false}, {26, 2, 100, true},
	} {
		figures := idling(all, [][]float64{{c.floor}, {c.hub}, {100}}, c.size)
		if got := (&report{Figures: figures}).reached(); got != c.reached {
			t.Errorf("%v KiB beside %v with %d subscribers: reached is %t", c.hub, c.floor, c.size, got)
		}
	}
}
