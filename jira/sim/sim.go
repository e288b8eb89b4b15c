// Package sim is a simulated Jira: project AURORA in memory, spoken to by REST as Data Center (v2) or as Cloud (v3), with
// knobs that bring on the trouble that a real Jira makes. It is for tests and demonstrations; nothing is kept.
//
// On Cloud the v2 paths answer serverInfo, myself and the removed search only; Data Center has no v3 path, as in reality.
// What people see is at /, /browse/KEY; the knobs are at /_sim/knobs, the log of writes at /_sim/log (see docs/jirasim.md).
package sim

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // the agent's account has a zone of its own, also on a machine without a zone database
)

// Dialect is which of the two Jiras is simulated.
type Dialect string

// The two Jiras.
const (
	// Cloud is REST v3 with ADF, accountId, sprint objects and search by page tokens.
	Cloud Dialect = "cloud"
	// DataCenter is REST v2 with wiki text, users by name, sprints as strings and search by startAt.
	DataCenter Dialect = "dc"
)

// Config says which Jira to simulate. Every field but Dialect may be left out.
type Config struct {
	Dialect Dialect
	// BaseURL is where people and links find this Jira; by default the address that a call came to.
	BaseURL string
	// User and Token are the agent's login: basic on both, and the token alone as a bearer on Data Center. By default
	// agent@example.com or agent, and sim-token.
	User  string
	Token string
	// Version is what a Data Center says it is; before 9 it still has the old createmeta. By default 9.12.15.
	Version string
	// TimeZone is the agent's account's, in which JQL reads dates. By default Europe/Moscow.
	TimeZone string
	// Now is the clock. By default the machine's.
	Now func() time.Time
	// MaxIssues bounds how many issues it holds; a create beyond it answers 500. By default 100,000.
	MaxIssues int
}

const (
	defaultToken     = "sim-token"
	defaultVersion   = "9.12.15"
	defaultZone      = "Europe/Moscow"
	defaultMaxIssues = 100_000
)

// Sim is one simulated Jira, an http.Handler. It is safe for concurrent use.
type Sim struct {
	config  Config
	routes  http.Handler
	meta    http.Handler
	control http.Handler
	rules   rules
	log     writeLog

	mu           sync.Mutex
	store        *store
	failedLogins int
}

var _ http.Handler = (*Sim)(nil)

// New makes a Jira that holds project AURORA, and VEGA beside it.
func New(config Config) (*Sim, error) {
	if !slices.Contains([]Dialect{Cloud, DataCenter}, config.Dialect) {
		return nil, fmt.Errorf("the dialect must be %q or %q, not %q", Cloud, DataCenter, config.Dialect)
	}

	config = withDefaults(config)

	zone, err := time.LoadLocation(config.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("finding the account's time zone: %w", err)
	}

	if config.MaxIssues < 0 {
		return nil, errors.New("MaxIssues must not be negative")
	}

	s := &Sim{config: config, store: newStore(config, zone)}
	s.store.seed()
	s.routes, s.meta, s.control = s.restRoutes(), s.createMetaRoutes(), s.controlRoutes()

	return s, nil
}

func withDefaults(config Config) Config {
	fill := func(value *string, standard string) {
		if *value == "" {
			*value = standard
		}
	}

	if config.Dialect == Cloud {
		fill(&config.User, "agent@example.com")
	}

	fill(&config.User, "agent")
	fill(&config.Token, defaultToken)
	fill(&config.Version, defaultVersion)
	fill(&config.TimeZone, defaultZone)

	if config.Now == nil {
		config.Now = time.Now
	}

	if config.MaxIssues == 0 {
		config.MaxIssues = defaultMaxIssues
	}

	return config
}

// Login is the account's name and its token, as Config has them.
func (s *Sim) Login() (user, token string) { return s.config.User, s.config.Token }
