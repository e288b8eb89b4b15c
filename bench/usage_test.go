package main

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestTheProcessorTimeIsThatOfAProcessAndItsMemoryToo(t *testing.T) {
	t.Parallel()

	self := &process{pid: os.Getpid()}

	begun, err := self.processorTime()
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Errorf("it is %s where nothing tells it", begun)
		}

		return
	}

	for spent := time.Duration(0); spent < 20*time.Millisecond; {
		now, err := self.processorTime()
		if err != nil {
			t.Fatal(err)
		}

		spent = now - begun
	}

	before, err := self.memory()
	if err != nil {
		t.Fatal(err)
	}

	const much = 64 << 20

	held := make([]byte, much)
	for i := range held {
		held[i] = 1
	}

	after, err := self.memory()
	if err != nil || after-before < much/2 {
		t.Errorf("%d bytes more made it grow by %d, %v", much, after-before, err)
	}

	runtime.KeepAlive(held)

	if _, err := (&process{pid: -1}).processorTime(); err == nil {
		t.Error("a process that is none has a processor time")
	}
}
