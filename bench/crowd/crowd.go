// Package crowd is very many subscribers in a process of their own. It tells its parent, a line each: that all have
// subscribed, when the last of them had a change, and what went wrong.
package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Config is the crowd that Read makes.
type Config struct {
	// URL is the server's, http://host/path. Query is what each subscribes to, with Token, and after a position, for
	// which they take turns, if there are any.
	URL   string   `json:"url"`
	Query string   `json:"query"`
	Token string   `json:"token"`
	After []string `json:"after"`
	// Count is how many they are.
	Count int `json:"count"`
}

// Args are the arguments of Read.
func (c Config) Args() ([]string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write the crowd's settings: %w", err)
	}

	return []string{string(text)}, nil
}

// subscribed is said when the last is about to ask, and allHaveIt, with its cursor and the time, when the last has a change.
const (
	subscribed = "subscribed"
	allHaveIt  = "all"
)

// Line is what the crowd has said.
type Line struct {
	// Cursor is that of the change which all have now, and Last when the last of them had it; "" where this line tells
	// that all but the last have asked for their subscription.
	Cursor string
	Last   time.Time
}

// Parse understands a line; what went wrong is an error.
func Parse(line string) (Line, error) {
	if line == subscribed {
		return Line{}, nil
	}

	words := strings.Fields(line)
	if len(words) != 3 || words[0] != allHaveIt {
		return Line{}, errors.New("the subscribers said: " + line)
	}

	nanoseconds, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return Line{}, fmt.Errorf("the subscribers said %q: %w", line, err)
	}

	return Line{Cursor: words[1], Last: time.Unix(0, nanoseconds)}, nil
}

// atOnce is how many connect at the same time.
const atOnce = 100

// Read subscribes and reads until the process is ended, or one of the subscribers is cut off, or has a change twice.
func Read(ctx context.Context, args []string, out io.Writer) error {
	var c Config
	if err := json.Unmarshal([]byte(strings.Join(args, "")), &c); err != nil {
		return fmt.Errorf("read the crowd's settings: %w", err)
	}

	all := make([]*member, c.Count)
	counted := &tally{of: c.Count, seen: map[string]*int{}, out: out}

	connecting, within := errgroup.WithContext(ctx)
	connecting.SetLimit(atOnce)

	for i := range all {
		connecting.Go(func() (err error) {
			all[i], err = c.connect(within, counted)

			return err
		})
	}

	if err := connecting.Wait(); err != nil {
		return fmt.Errorf("one of %d: %w", c.Count, err)
	}

	reading, ctx := errgroup.WithContext(ctx)

	for _, one := range all {
		reading.Go(func() error { return one.read(ctx) })
	}

	for i, one := range all {
		// It is said before any change can have reached all of them.
		if i == len(all)-1 {
			counted.say(subscribed)
		}

		if err := one.subscribe(c, i); err != nil {
			return err
		}
	}

	return fmt.Errorf("one of %d: %w", c.Count, reading.Wait()) // none ends without an error
}
