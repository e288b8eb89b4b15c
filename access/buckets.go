package access

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// buckets holds one token bucket a key, at most so many: the one unused for longest is dropped for a new one. A bucket
// that is dropped or was never there is full, so dropping errs on the caller's side.
type buckets[K comparable] struct {
	limit rate.Limit
	burst int
	most  int

	mu     sync.Mutex
	byKey  map[K]*list.Element
	recent *list.List // of *bucket[K], the last used first
}

type bucket[K comparable] struct {
	key     K
	limiter *rate.Limiter
	used    time.Time
}

func newBuckets[K comparable](most int, limit rate.Limit, burst int) *buckets[K] {
	return &buckets[K]{limit: limit, burst: burst, most: most, byKey: make(map[K]*list.Element), recent: list.New()}
}

// take takes one from the key's bucket. Where the bucket is empty it takes nothing and tells how long until it is not.
func (b *buckets[K]) take(key K) (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()

	now := time.Now()
	b.dropIdle(now)

	reserved := b.of(key, now).ReserveN(now, 1)
	wait := reserved.DelayFrom(now)

	if wait == 0 {
		return 0, false
	}

	reserved.CancelAt(now)

	return wait, true
}

// of finds or makes the key's bucket and marks it as used.
func (b *buckets[K]) of(key K, now time.Time) *rate.Limiter {
	if place, ok := b.byKey[key]; ok {
		b.recent.MoveToFront(place)

		held := bucketAt[K](place)
		held.used = now

		return held.limiter
	}

	if b.recent.Len() >= b.most {
		b.drop(b.recent.Back())
	}

	made := &bucket[K]{key: key, limiter: rate.NewLimiter(b.limit, b.burst), used: now}
	b.byKey[key] = b.recent.PushFront(made)

	return made.limiter
}

// dropIdle drops buckets that have had the time to fill up again: they are as good as new ones.
func (b *buckets[K]) dropIdle(now time.Time) {
	full := time.Duration(float64(b.burst) / float64(b.limit) * float64(time.Second))

	for oldest := b.recent.Back(); oldest != nil && now.Sub(bucketAt[K](oldest).used) > full; oldest = b.recent.Back() {
		b.drop(oldest)
	}
}

func (b *buckets[K]) drop(place *list.Element) {
	b.recent.Remove(place)
	delete(b.byKey, bucketAt[K](place).key)
}

// bucketAt cannot fail: nothing else is ever put into the list.
func bucketAt[K comparable](place *list.Element) *bucket[K] {
	held, _ := place.Value.(*bucket[K])

	return held
}
