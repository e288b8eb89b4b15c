package main

import (
	"strings"
	"testing"
	"time"
)

func TestTheMarksAreTheHubsAndFromAThousandSubscribersOn(t *testing.T) {
	t.Parallel()

	all := []*delivery{{name: floorName}, {name: hubName}, {name: stockName}}
	floor := []delivered{{each: 10 * time.Microsecond, last: 10 * time.Millisecond}}
	slow := []delivered{{each: 30 * time.Microsecond, last: 30 * time.Millisecond}}

	for size, missed := range map[int]int{100: 0, 1000: 2, 10_000: 1} {
		figures := delivering(all, [][]delivered{floor, slow, slow}, size)
		if len(figures) != 4 {
			t.Fatalf("two competitors gave %d figures", len(figures))
		}

		for _, figure := range figures {
			if figure.reached() {
				continue
			}

			missed--

			if !strings.HasPrefix(figure.Work, hubName) {
				t.Errorf("%s has a mark", figure.Work)
			}
		}

		if missed != 0 {
			t.Errorf("with %d subscribers another number of marks was missed, by %d", size, -missed)
		}
	}
}
