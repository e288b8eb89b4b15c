package trial

import (
	"errors"
	"fmt"
	"sync"
)

// supervisor keeps a hub running as a service manager does: whenever it ends, it is started again at once.
type supervisor struct {
	at setting
	// over is closed when the supervisor has ended, for it was told to or because the hub does not stay up.
	over chan struct{}

	mu       sync.Mutex
	current  *hub
	expected bool
	stopping bool
	starts   int
	wrong    []error
}

func supervise(at setting) *supervisor {
	s := &supervisor{at: at, over: make(chan struct{})}

	go s.run()

	return s
}

// A hub that ends by itself so often is not worth another start.
const patience = 3

func (s *supervisor) run() {
	defer close(s.over)

	for s.round() {
	}
}

// round starts a hub and waits for its end; false ends it all.
func (s *supervisor) round() bool {
	h, err := s.start()
	if err != nil || h == nil {
		s.note(err)

		return false
	}

	<-h.ended

	s.mu.Lock()
	expected, stopping := s.expected, s.stopping
	s.expected = false
	s.mu.Unlock()

	s.note(h.raced())

	if !expected && !stopping {
		s.note(fmt.Errorf("the hub ended by itself: %w\n%s", h.exit, h.tail()))
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	return !s.stopping && len(s.wrong) < patience
}

func (s *supervisor) start() (*hub, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.stopping {
		return nil, nil //nolint:nilnil // none is wanted any more
	}

	h, err := s.at.launch()
	if err != nil {
		return nil, err
	}

	s.current = h
	s.starts++

	return h, nil
}

func (s *supervisor) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if err != nil {
		s.wrong = append(s.wrong, err)
	}
}

// kill ends the hub that runs now with -9; the supervisor starts another.
func (s *supervisor) kill() error {
	s.mu.Lock()
	h := s.current
	s.expected = true
	s.mu.Unlock()

	return h.kill()
}

func (s *supervisor) started() int {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.starts
}

// stop ends the hub with SIGTERM and tells what went wrong with any of those that ran.
func (s *supervisor) stop() error {
	s.mu.Lock()
	s.stopping = true
	h := s.current
	s.mu.Unlock()

	var err error
	if h != nil && h.running() {
		_, err = h.end()
	}

	<-s.over

	s.mu.Lock()
	defer s.mu.Unlock()

	return errors.Join(append(s.wrong, err)...)
}
