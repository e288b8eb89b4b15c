package localpg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

const (
	// An initdb that does not end when it is done. The first argument is --pgdata=..., its folder.
	endlessInitdb = `"%s/initdb" "$@" && touch "${1#--pgdata=}/made" && exec sleep 3600`
	// A server that never comes up. initdb, which runs postgres too, gets the real one; only the
	// server is given the cluster's folder by -D first.
	endlessPostgres = `if [ "$1" != -D ]; then exec "%s/postgres" "$@"; fi; echo $$ > "$2/launched"; exec sleep 3600`
)

// programs are the real ones but for one, whose script stands in.
func programs(t *testing.T, name, script string) string {
	t.Helper()

	found, err := localpg.FindPrograms(t.Context(), "")
	if err != nil {
		t.Error(err)

		return ""
	}

	dir := scratch(t)
	scripts := map[string]string{
		"postgres": `exec "%s/postgres" "$@"`,
		"pg_ctl":   `exec "%s/pg_ctl" "$@"`,
		"initdb":   `exec "%s/initdb" "$@"`,
	}
	scripts[name] = script

	for name, script := range scripts {
		text := "#!/bin/sh\n" + fmt.Sprintf(script, found.Dir) + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Error(err)
		}
	}

	return dir
}
