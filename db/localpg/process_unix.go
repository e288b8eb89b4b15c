//go:build unix && !linux

package localpg

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// serves says whether the process is a Postgres of this cluster, and not one that got a dead
// server's number: the server's command line names the cluster's folder.
func serves(pid int, cluster string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	out, err := exec.CommandContext(ctx, "ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return false
	}

	command := string(out)

	return strings.Contains(command, "postgres") && strings.Contains(command, "-D "+cluster)
}

// servants are not to be told here: only the first process of a server names its cluster.
// The others notice by themselves when it dies.
func servants(string) []int { return nil }

// unburied is not told apart here: the first process of these systems buries what it inherits.
func unburied(int) bool { return false }
