package access

import (
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
)

func TestBucketsStayWithinTheirNumber(t *testing.T) {
	held := newBuckets[int](3, 1, 1)

	for key := range 100 {
		held.take(key)
	}

	if len(held.byKey) != 3 || held.recent.Len() != 3 {
		t.Errorf("%d keys, %d in the list", len(held.byKey), held.recent.Len())
	}

	if _, empty := held.take(99); !empty {
		t.Error("the newest was dropped")
	}

	if _, empty := held.take(0); empty {
		t.Error("the oldest was kept")
	}
}

func TestTheBucketUnusedForLongestGivesWay(t *testing.T) {
	held := newBuckets[string](2, 1, 1)
	held.take("a")
	held.take("b")
	held.take("a")
	held.take("c")

	if _, empty := held.take("a"); !empty {
		t.Error("one that was used again gave way")
	}
}

func TestABucketThatIsFullAgainIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := newBuckets[string](100, rate.Every(time.Second), 10)
		held.take("idle")
		<-time.After(10*time.Second + 1)
		held.take("new")

		if len(held.byKey) != 1 {
			t.Errorf("%d are held", len(held.byKey))
		}
	})
}

func TestAnEmptyBucketIsNotPutFurtherBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := newBuckets[string](1, rate.Every(time.Second), 1)
		held.take("key")

		for range 50 {
			held.take("key")
		}

		if wait, empty := held.take("key"); !empty || wait != time.Second {
			t.Errorf("to wait: %s", wait)
		}
	})
}
