package server

import (
	"maps"
	"slices"
	"sync"
)

// sockets knows the open websockets, which net/http forgets once they are taken over, so that the server can end them
// and wait for them.
type sockets struct {
	mu     sync.Mutex
	open   map[*socket]struct{}
	ending bool
	gone   sync.WaitGroup
}

func newSockets() *sockets { return &sockets{open: make(map[*socket]struct{})} }

// add takes the socket in; false where the server is ending and it must not be opened.
func (s *sockets) add(opened *socket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.ending {
		return false
	}

	s.open[opened] = struct{}{}
	s.gone.Add(1)

	return true
}

func (s *sockets) remove(closed *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(s.open, closed)
	s.gone.Done()
}

// endAll tells every websocket that the hub goes away, and waits until the last is gone. Each has a moment to answer,
// all of them the same one.
func (s *sockets) endAll() {
	s.mu.Lock()
	s.ending = true
	opened := slices.Collect(maps.Keys(s.open))
	s.mu.Unlock()

	var told sync.WaitGroup
	for _, one := range opened {
		told.Go(one.goAway)
	}

	told.Wait()
	s.gone.Wait()
}
