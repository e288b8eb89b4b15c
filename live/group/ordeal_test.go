package group_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

// TestNothingIsLostDoubledOrOutOfOrder has readers come, stall, leave and come back at random while the log is written.
func TestNothingIsLostDoubledOrOutOfOrder(t *testing.T) {
	const (
		readers = 40
		total   = 800
	)

	synctest.Test(t, func(t *testing.T) {
		world := newWorld(t)

		var work sync.WaitGroup

		for number := range readers {
			work.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(number))) //nolint:gosec // the same at each run

				// Every third has so little room that it is left behind again and again.
				room := 200
				if number%3 == 0 {
					room = 1 + random.IntN(40)
				}

				for position := int64(0); position < total; {
					one := world.subscribe(changes, from(position), room)

					for range 1 + random.IntN(300) {
						if position == total {
							break
						}

						got := seq(t, read(t, one.take()).Data.CommandChanged.Cursor)
						if got != position+1 {
							t.Errorf("reader %d: after %d came %d", number, position, got)

							position = total

							break
						}

						position = got

						if random.IntN(20) == 0 {
							<-time.After(time.Duration(random.IntN(200)) * time.Millisecond)
						}
					}

					one.leave()
				}
			})
		}

		work.Go(func() {
			random := rand.New(rand.NewPCG(2, 0)) //nolint:gosec // the same at each run

			for n := 0; n < total; {
				for range min(1+random.IntN(5), total-n) {
					n++
					world.log.write(changed(queue.BatchID(n)))
				}

				<-time.After(time.Duration(random.IntN(20)) * time.Millisecond)
			}
		})

		work.Wait()
	})
}
