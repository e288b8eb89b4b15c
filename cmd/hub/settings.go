package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/server"
)

const description = `A GraphQL hub between those who plan work in Jira and the agent that does it.

Each setting is a flag and a variable of the environment; the flag wins.`

// commandLine is all that can be written after hub.
type commandLine struct {
	settings

	Serve   serveCommand   `cmd:"" help:"Run the hub."`
	Demo    demoCommand    `cmd:"" help:"Show the hub at work with a simulated Jira, its agent and sample batches; nothing is kept."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to this version's schema."`
	Site    siteCommand    `cmd:"" help:"Sites: one Jira each, with its queue, mirror and log."`
	Token   tokenCommand   `cmd:"" help:"Tokens: who may call."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// settings are one set for all commands.
type settings struct {
	Listen         string  `env:"HUB_LISTEN"          default:"127.0.0.1:8080" help:"Where to listen, host and port."`
	DatabaseURL    string  `env:"HUB_DATABASE_URL"    placeholder:"URL"  help:"The database, postgres://...; unset: the hub's own private Postgres."`
	DataDir        string  `env:"HUB_DATA_DIR"        placeholder:"DIR"  help:"The private Postgres' data folder. Default: /var/lib/sdlc-hub as root, else ~/.local/share/sdlc-hub."`
	PostgresBin    string  `env:"HUB_POSTGRES_BIN"    placeholder:"DIR"  help:"Folder with Postgres' server programs. Default: they are looked for."`
	LogLevel       string  `env:"HUB_LOG_LEVEL"       default:"info" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error."`
	LogFormat      string  `env:"HUB_LOG_FORMAT"      default:"text" enum:"text,json" help:"How to log, on standard error: text or json."`
	TLSCert        string  `env:"HUB_TLS_CERT"        name:"tls-cert" placeholder:"FILE" help:"Certificate, PEM; with it the hub speaks HTTPS."`
	TLSKey         string  `env:"HUB_TLS_KEY"         name:"tls-key" placeholder:"FILE" help:"The certificate's key, PEM."`
	BehindProxy    bool    `env:"HUB_BEHIND_PROXY"    help:"A proxy in front of the hub speaks TLS and says who calls."`
	InsecureListen bool    `env:"HUB_INSECURE_LISTEN" help:"Listen in clear text to other machines too."`
	RateLimit      float64 `env:"HUB_RATE_LIMIT"      default:"1000" help:"Operations a second that one token may make; five times as many at once."`
	DatabaseConns  int32   `env:"HUB_DATABASE_CONNS"  default:"20" help:"Connections to the database, at most; two more tell and hear of changes in other hubs."`

	KeepEvents time.Duration `env:"HUB_KEEP_EVENTS" default:"2160h" help:"How long the log keeps an event, 1h or more; 2160h are 90 days."`
}

const (
	burstOfRate = 5

	minRate = 0.001
	maxRate = 1_000_000

	// minKeepEvents leaves those who were away for a moment something to come back to.
	minKeepEvents = time.Hour
)

// check finds what kong's own rules do not.
func (s *settings) check() error {
	if s.DatabaseURL != "" {
		parsed, err := url.Parse(s.DatabaseURL)
		if err != nil || parsed.Scheme != "postgres" && parsed.Scheme != "postgresql" {
			// The value is not shown: it may hold a password.
			return errors.New("--database-url (HUB_DATABASE_URL) must be a URL such as postgres://user@host/database")
		}
	}

	switch {
	case !(s.RateLimit >= minRate && s.RateLimit <= maxRate): // written so that NaN is refused too
		return fmt.Errorf("--rate-limit (HUB_RATE_LIMIT) must be a number from %g to %d, not %g", minRate, maxRate, s.RateLimit)
	case s.DatabaseConns < 2:
		return fmt.Errorf("--database-conns (HUB_DATABASE_CONNS) must be 2 or more, not %d", s.DatabaseConns)
	case s.KeepEvents < minKeepEvents:
		return fmt.Errorf("--keep-events (HUB_KEEP_EVENTS) must be 1h or more, such as 2160h for 90 days, not %s", s.KeepEvents)
	}

	return nil
}

// checkServing finds, before anything is started, what would keep the hub from being served.
func (s *settings) checkServing() error {
	if err := server.CheckListen(s.Listen, s.exposure()); err != nil {
		return err
	}

	if s.TLSCert == "" {
		return nil
	}

	if _, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey); err != nil {
		return fmt.Errorf("--tls-cert (HUB_TLS_CERT) and --tls-key (HUB_TLS_KEY): %w", err)
	}

	return nil
}

func (s *settings) exposure() server.Exposure {
	return server.Exposure{CertFile: s.TLSCert, KeyFile: s.TLSKey, BehindProxy: s.BehindProxy, Insecure: s.InsecureListen}
}

func (s *settings) limits() access.Limits {
	return access.Limits{OperationsPerSecond: s.RateLimit, OperationBurst: int(s.RateLimit*burstOfRate) + 1}
}

func (s *settings) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(strings.ToUpper(s.LogLevel))); err != nil {
		level = slog.LevelInfo
	}

	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}

	return slog.New(slog.NewTextHandler(os.Stderr, options))
}
