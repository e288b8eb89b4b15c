package sim

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxLog bounds the log; the oldest writes go first.
const maxLog = 50_000

// Write is one call that could change something, as the log has it.
type Write struct {
	N      int       `json:"n"`
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	// Status is what Jira answered, or would have, where the answer was Lost.
	Status int  `json:"status"`
	Lost   bool `json:"lost,omitempty"`
	// Did says what changed, such as "issue created"; empty: nothing did. Key is the issue, Labels those it then bore.
	Did    string   `json:"did,omitempty"`
	Key    string   `json:"key,omitempty"`
	Labels []string `json:"labels,omitempty"`
}

type writeLog struct {
	mu     sync.Mutex
	n      int
	writes []Write
}

// record keeps a call that could have changed something.
func (s *Sim) record(w Write, status int) {
	if w.Method == http.MethodGet || strings.Contains(w.Path, "/search") || strings.HasSuffix(w.Path, "/bulkfetch") {
		return
	}

	s.log.mu.Lock()
	defer s.log.mu.Unlock()

	s.log.n++
	w.N, w.At, w.Status = s.log.n, s.config.Now(), status

	s.log.writes = append(s.log.writes, w)
	if over := len(s.log.writes) - maxLog; over > 0 {
		s.log.writes = slices.Delete(s.log.writes, 0, over)
	}
}

// Writes are the calls that could change something and reached Jira, oldest first; the latest 50,000.
func (s *Sim) Writes() []Write {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()

	return slices.Clone(s.log.writes)
}
