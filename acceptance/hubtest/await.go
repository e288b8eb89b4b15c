package hubtest

import (
	"testing"
	"time"
)

const awaitWithin = 20 * time.Second

// Await looks until what is told of is so, and fails the test where it does not
// come to be within 20 seconds.
func Await(t testing.TB, what string, so func() bool) {
	t.Helper()
	late := time.After(awaitWithin)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for !so() {
		select {
		case <-late:
			t.Fatalf("waited %s in vain until %s", awaitWithin, what)
		case <-look.C:
		}
	}
}
