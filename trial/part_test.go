package trial

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// partVariable tells this program to be a part of the crowd, and which: a process has not files enough for all.
const partVariable = "TRIAL_CROWD_PART"

// part is what a process of the crowd is told.
type part struct {
	// First is the number of its first subscriber, Size how many it has.
	First, Size int
	Hubs        []string
	// Tokens are of three roles.
	Tokens []string
	Seed   uint64
}

// order asks a part for a report: at once, once each of its subscribers has begun, or once each has everything up to a
// position.
type order struct {
	Begun bool
	UpTo  string
	// Last lets everything be read that was sent beyond it, which had to be nothing.
	Last bool
}

// report is what a part has seen so far.
type report struct {
	// Late are those who had not come so far in time.
	Late int
	// Wrong is what is wrong with records and connections, the first few of it, and Faults how much there is of it.
	Wrong  []string
	Faults int
	// Events are all that were read.
	Events, Connections int
	Ended               map[string]int
}

// bePart is the whole life of such a process: orders come on its standard input, reports go to its standard output.
func bePart(told string) int {
	if err := tryPart(told); err != nil {
		fmt.Fprintln(os.Stderr, "a part of the crowd:", err)

		return 1
	}

	return 0
}

func tryPart(told string) error {
	var p part
	if err := json.Unmarshal([]byte(told), &p); err != nil {
		return fmt.Errorf("read what to be: %w", err)
	}

	ctx, stop := context.WithCancel(context.Background())

	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	all := wishes()

	var readers []*caller
	for _, hub := range p.Hubs {
		readers = append(readers, newCaller("http://"+hub, "reader", p.Tokens[0]))
	}

	known := newHistory(all)
	if err := known.readOn(ctx, readers); err != nil {
		return err
	}

	crowd := p.subscribers(all, known)
	for _, s := range crowd {
		running.Go(func() { s.run(ctx) })
	}

	answers := json.NewEncoder(os.Stdout)

	for orders := bufio.NewScanner(os.Stdin); orders.Scan(); {
		var o order
		if err := json.Unmarshal(orders.Bytes(), &o); err != nil {
			return fmt.Errorf("read an order: %w", err)
		}

		done, err := o.carryOut(ctx, crowd, known, readers)
		if err != nil {
			return err
		}

		if err := answers.Encode(done); err != nil {
			return fmt.Errorf("write a report: %w", err)
		}
	}

	return nil
}

// subscribers are of all wishes and tokens; a fourth of them begin with what is new, the others somewhere in the log.
func (p *part) subscribers(all []*wish, known *history) []*subscriber {
	const (
		oneInStreams = 41
		oneInNew     = 4
		wandersAfter = 300
	)

	crowd := make([]*subscriber, 0, p.Size)

	for number := p.First; number < p.First+p.Size; number++ {
		s := newSubscriber(number, all[number%len(all)], p.Hubs, p.Tokens[number/len(all)%len(p.Tokens)], "")
		s.streams, s.wanders = number%oneInStreams == 0, wandersAfter

		if s.r.IntN(oneInNew) > 0 {
			s.began = known.cursors[s.r.IntN(len(known.cursors))]
			s.at = s.began
		}

		crowd = append(crowd, s)
	}

	return crowd
}

// lateAfter is far beyond what it takes: it is for what never comes.
const lateAfter = 2 * time.Minute

func (o *order) carryOut(ctx context.Context, crowd []*subscriber, known *history, readers []*caller) (*report, error) {
	if err := known.readOn(ctx, readers); err != nil {
		return nil, err
	}

	done := &report{Ended: map[string]int{}}

	inTime, stop := context.WithTimeout(ctx, lateAfter)
	defer stop()

	switch {
	case o.Begun:
		done.Late = awaitAll(inTime, crowd, func(s *subscriber) bool { return s.count() > 0 })
	case o.UpTo != "":
		done.Late = awaitAll(inTime, crowd, func(s *subscriber) bool {
			return s.has(o.UpTo, known)
		})
	}

	seen := make([]sightings, 0, len(crowd))

	for _, s := range crowd {
		if o.Last {
			s.settle(inTime)
		}

		seen = append(seen, s.sightings())
	}

	// Whatever they have read by now is there by now.
	if err := known.readOn(ctx, readers); err != nil {
		return nil, err
	}

	for i, s := range crowd {
		done.add(s, &seen[i], known)
	}

	return done, nil
}

// awaitAll waits until it is so with all, and gives with how many it is not when the context ends.
func awaitAll(ctx context.Context, crowd []*subscriber, so func(*subscriber) bool) int {
	look := time.NewTicker(lookEvery)
	defer look.Stop()

	for done := 0; ; {
		for done < len(crowd) && so(crowd[done]) {
			done++
		}

		if done == len(crowd) {
			return 0
		}

		select {
		case <-ctx.Done():
			late := 0

			for _, s := range crowd {
				if !so(s) {
					late++
				}
			}

			return late
		case <-look.C:
		}
	}
}

const mostWrong = 5

func (r *report) add(s *subscriber, seen *sightings, known *history) {
	wrong := seen.wrong
	if err := known.compare(s.wish, s.began, seen.record); err != nil {
		wrong = append(wrong, err.Error())
	}

	for _, what := range wrong {
		if r.Faults++; len(r.Wrong) < mostWrong {
			r.Wrong = append(r.Wrong, fmt.Sprintf("subscriber %d of %s: %s", s.number, s.wish.name, what))
		}
	}

	r.Events += len(seen.record)
	r.Connections += seen.connected

	for end, times := range seen.ended {
		r.Ended[end] += times
	}
}

// String tells what was seen, with how the connections ended.
func (r *report) String() string {
	var told strings.Builder

	fmt.Fprintf(&told, "         %d events read over %d connections", r.Events, r.Connections)

	for _, end := range slices.Sorted(maps.Keys(r.Ended)) {
		fmt.Fprintf(&told, "; %s: %d", end, r.Ended[end])
	}

	return told.String()
}

// plus is the report of two parts.
func (r *report) plus(other *report) *report {
	both := report{
		Late: r.Late + other.Late, Wrong: append(r.Wrong, other.Wrong...), Faults: r.Faults + other.Faults,
		Events: r.Events + other.Events, Connections: r.Connections + other.Connections, Ended: map[string]int{},
	}

	for _, of := range []map[string]int{r.Ended, other.Ended} {
		for end, times := range of {
			both.Ended[end] += times
		}
	}

	return &both
}
