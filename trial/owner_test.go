package trial

import (
	"os"
	"syscall"
	"testing"
)

// ownerOf is the user whose a file, or a process by its folder in /proc, is.
func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()

	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}

	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s has no owner", path)
	}

	return stat.Uid
}
