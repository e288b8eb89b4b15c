package hubtest

import (
	"context"
	"testing"
	"time"
)

// Answer is what a waiting claim came back with.
type Answer struct {
	Payload ClaimPayload
	Err     error
	// Took is the time from the call to the answer.
	Took time.Duration
}

// Waiting is a claim that waits at the hub.
type Waiting struct {
	answer chan Answer
	leave  context.CancelFunc
}

// ClaimWaiting lets an instance claim for so many seconds in the background and
// returns once the hub shows that instance. The claim is given up when the test
// ends.
func (s *Site) ClaimWaiting(t testing.TB, seconds int, instance string) *Waiting {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	waiting := &Waiting{answer: make(chan Answer, 1), leave: leave}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		began := time.Now()
		payload, err := Call[ClaimPayload](ctx, s.Agent, ClaimNext, Vars{"waitSeconds": seconds, "instance": instance})
		waiting.answer <- Answer{Payload: payload, Err: err, Took: time.Since(began)}
	}()
	t.Cleanup(func() { leave(); <-ended })
	Await(t, "the hub shows the instance "+instance, func() bool {
		for _, agent := range s.Queue(t).Agents {
			if text(agent.Instance) == instance {
				return true
			}
		}
		return false
	})
	return waiting
}

// Leave breaks the claim's connection off and returns when that is done.
func (w *Waiting) Leave() {
	w.leave()
	<-w.answer
}

// Answer waits for the claim's answer, at most 20 seconds: a test that expects
// one makes it come earlier.
func (w *Waiting) Answer(t testing.TB) Answer {
	t.Helper()
	select {
	case answer := <-w.answer:
		if answer.Err != nil {
			t.Fatalf("the waiting claim: %v", answer.Err)
		}
		return answer
	case <-time.After(awaitWithin):
		t.Fatalf("the waiting claim was not answered within %s", awaitWithin)
		return Answer{}
	}
}
