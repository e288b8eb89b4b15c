package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// partSize is how many subscribers one process has: well under the 8,128 goroutines that the race detector bears.
const partSize = 2_500

// parts are the processes of a crowd.
type parts []*partProcess

// partProcess is one of them, to whom orders are given one after the other.
type partProcess struct {
	process *exec.Cmd
	orders  io.WriteCloser
	reports *bufio.Reader
}

// gather starts a crowd of that size; it goes home with the test.
func gather(t *testing.T, size int, told part) parts {
	t.Helper()

	// Two at least, so that the way of the large crowd is tried with the small one.
	number := max(2, (size+partSize-1)/partSize)

	var all parts

	t.Cleanup(func() {
		for _, p := range all {
			if err := p.end(); err != nil {
				t.Error(err)
			}
		}
	})

	for i := range number {
		told.First = size * i / number
		told.Size = size*(i+1)/number - told.First

		one, err := startPart(told)
		if err != nil {
			t.Fatal(err)
		}

		all = append(all, one)
	}

	return all
}

func startPart(told part) (*partProcess, error) {
	text, err := json.Marshal(told)
	if err != nil {
		return nil, fmt.Errorf("write what to be: %w", err)
	}

	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}

	p := &partProcess{process: exec.Command(own)} //nolint:noctx // it ends when there are no more orders
	p.process.Env = append(os.Environ(), partVariable+"="+string(text))
	p.process.Stderr = os.Stderr

	if p.orders, err = p.process.StdinPipe(); err != nil {
		return nil, fmt.Errorf("give orders: %w", err)
	}

	reports, err := p.process.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("take reports: %w", err)
	}

	p.reports = bufio.NewReader(reports)

	if err := p.process.Start(); err != nil {
		return nil, fmt.Errorf("start a part of the crowd: %w", err)
	}

	return p, nil
}

// end lets it go home. Where the race detector found something there, that is an error.
func (p *partProcess) end() error {
	err := p.orders.Close()

	if err = errors.Join(err, p.process.Wait()); err != nil {
		return fmt.Errorf("end a part of the crowd: %w", err)
	}

	return nil
}

func (p *partProcess) ask(o order) (*report, error) {
	if err := json.NewEncoder(p.orders).Encode(o); err != nil {
		return nil, fmt.Errorf("give an order: %w", err)
	}

	text, err := p.reports.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("wait for a report: %w", err)
	}

	var got report
	if err := json.Unmarshal(text, &got); err != nil {
		return nil, fmt.Errorf("read a report: %w", err)
	}

	return &got, nil
}

// ask gives all the same order and puts their reports together. What is wrong fails the test.
func (ps parts) ask(t *testing.T, o order) *report {
	t.Helper()

	reports, errs := make([]*report, len(ps)), make([]error, len(ps))

	var all sync.WaitGroup

	for i, p := range ps {
		all.Go(func() { reports[i], errs[i] = p.ask(o) })
	}

	all.Wait()

	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}

	together := &report{}
	for _, r := range reports {
		together = together.plus(r)
	}

	if together.Faults > 0 || together.Late > 0 {
		t.Fatalf("%d of the crowd are late; %d faults: %q\nends: %v", together.Late, together.Faults, together.Wrong, together.Ended)
	}

	return together
}
