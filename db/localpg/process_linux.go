package localpg

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// serves says whether the process is a Postgres of this cluster, and not one that got a dead
// server's number: every process of a server works in its cluster's folder.
func serves(pid int, cluster string) bool {
	proc := filepath.Join("/proc", strconv.Itoa(pid))

	folder, err := os.Readlink(filepath.Join(proc, "cwd"))
	if err != nil || folder != cluster {
		return false
	}

	name, err := os.ReadFile(filepath.Join(proc, "comm")) //nolint:gosec // Of the kernel.
	if err != nil {
		return false
	}

	command := strings.TrimSpace(string(name))

	return command == "postgres" || command == "postmaster"
}

// servants are all processes that work for the cluster.
func servants(cluster string) []int {
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil { // Only for a malformed pattern.
		return nil
	}

	var pids []int

	for _, entry := range entries {
		pid, err := strconv.Atoi(filepath.Base(entry))
		if err == nil && serves(pid, cluster) {
			pids = append(pids, pid)
		}
	}

	return pids
}

// unburied says whether the process has ended and only its number is left, as for long where a
// container's first process does not bury what it inherits.
func unburied(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}

	// The name before the state is in parentheses and may hold some itself.
	return strings.HasPrefix(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " Z")
}
