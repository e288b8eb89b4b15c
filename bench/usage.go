package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processorTime is how long a process has been on a processor so far, system calls included. All of its threads must
// still be there, which Go and Node keep. Linux tells it, to the nanosecond.
func (p *process) processorTime() (time.Duration, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.pid))
	if err == nil && len(threads) == 0 {
		err = errors.New("no /proc/*/schedstat here")
	}

	if err != nil {
		return 0, fmt.Errorf("read the processor time of process %d: %w", p.pid, err)
	}

	var sum time.Duration

	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			return 0, fmt.Errorf("read the processor time: %w", err)
		}

		first, _, _ := strings.Cut(string(text), " ")

		nanoseconds, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time: %w", err)
		}

		sum += time.Duration(nanoseconds)
	}

	return sum, nil
}

// memory is how many bytes of a process are in memory.
func (p *process) memory() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.pid))
	if err != nil {
		return 0, fmt.Errorf("read the memory: %w", err)
	}

	var whole, resident int64
	if _, err := fmt.Sscan(string(text), &whole, &resident); err != nil {
		return 0, fmt.Errorf("read the memory: %w", err)
	}

	return resident * int64(os.Getpagesize()), nil
}
