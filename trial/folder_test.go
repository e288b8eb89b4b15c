package trial

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A data folder of mode 0700 is what a careful person makes. Postgres refuses root, so for root another account has to
// be let in.
func TestTheDataFolderIsOfMode0700(t *testing.T) {
	t.Parallel()

	data := filepath.Join(openFolder(t), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}

	worksFromFirstToLast(t, data)
}

// A socket's path holds 107 bytes, and a data folder may well be longer than what Postgres' own name for it leaves.
func TestTheDataFolderHasAPathOf100Characters(t *testing.T) {
	t.Parallel()

	const length = 100

	parent := openFolder(t)
	data := filepath.Join(parent, strings.Repeat("x", length-len(parent)-1))

	if len(data) != length {
		t.Fatalf("the path has %d characters", len(data))
	}

	worksFromFirstToLast(t, data)
}

// worksFromFirstToLast starts a hub over a fresh data folder, uses it, ends it, and starts it again.
func worksFromFirstToLast(t *testing.T, data string) {
	t.Helper()

	at := overData(t, data)
	first := at.serve(t)

	token, err := at.token(t.Context(), "main", "operator", "person")
	if err != nil {
		t.Fatal(err)
	}

	person := newCaller(first.url, "person", token)
	defer person.close()

	input := vars{"input": vars{"clientKey": "first", "commands": list{vars{"ensureComment": vars{"key": "AURORA-1", "body": "a"}}}}}

	var made, again madeAnswer
	if err := person.ask(t.Context(), createBatch, input, &made); err != nil {
		t.Fatal(err)
	}

	runsAsSomebodyElse(t, data)

	was, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	first.endGently(t)
	nobodyLeft(t, data, was)

	second := at.serve(t)
	if err := person.ask(t.Context(), createBatch, input, &again); err != nil || again.Batch.ID != made.Batch.ID {
		t.Errorf("after the restart batch %s is %s: %v", made.Batch.ID, again.Batch.ID, err)
	}

	second.endGently(t)
	nobodyLeft(t, data, was)
}

// runsAsSomebodyElse: where the hub is root, its Postgres must not be, and nobody else may come in.
func runsAsSomebodyElse(t *testing.T, data string) {
	t.Helper()

	server, err := postmasterOf(data)
	if err != nil {
		t.Fatal(err)
	}

	if root := ownerOf(t, fmt.Sprintf("/proc/%d", server.pid)) == 0; root {
		t.Errorf("Postgres runs as root")
	}

	for _, folder := range []string{data, filepath.Join(data, "postgres"), server.socketDir} {
		info, err := os.Stat(folder)
		if err != nil {
			t.Fatal(err)
		}

		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %s", folder, info.Mode())
		}
	}
}

// The folder above is as private as the data folder itself: the account that Postgres runs under cannot pass it, and
// for who is not root neither can the hub.
func TestAFolderThatCannotBePassedIsAClearError(t *testing.T) {
	t.Parallel()

	parent := filepath.Join(openFolder(t), "private")
	mode := fs.FileMode(0o700)

	if os.Geteuid() != 0 {
		mode = 0
	}

	if err := os.Mkdir(parent, mode); err != nil {
		t.Fatal(err)
	}

	refusesToStart(t, overData(t, filepath.Join(parent, "data")), []string{"serve"}, 1, parent, "HUB_DATA_DIR")
}

func TestNoPostgresProgramsIsAClearError(t *testing.T) {
	t.Parallel()

	parent := openFolder(t)
	data, programs := filepath.Join(parent, "data"), filepath.Join(parent, "programs")

	if err := os.Mkdir(programs, 0o755); err != nil {
		t.Fatal(err)
	}

	at := overData(t, data).with("HUB_POSTGRES_BIN=" + programs)
	for _, args := range [][]string{{"serve"}, {"migrate"}, {"token", "create", "--role", "operator", "--name", "a"}} {
		refusesToStart(t, at, args, 2, programs, "apt install postgresql", "HUB_POSTGRES_BIN", "HUB_DATABASE_URL")
	}

	if _, err := os.Lstat(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data folder was made all the same (%v)", err)
	}
}

// refusesToStart: the command ends with that code and says why in a line that holds all of these.
func refusesToStart(t *testing.T, at setting, args []string, code int, mentions ...string) {
	t.Helper()

	answer, err := at.run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}

	if answer.code != code || answer.stdout != "" {
		t.Errorf("hub %v ended with %d and wrote %q", args, answer.code, answer.stdout)
	}

	if lines := strings.Split(strings.TrimSpace(answer.stderr), "\n"); len(lines) != 1 {
		t.Errorf("hub %v said more than one line:\n%s", args, answer.stderr)
	}

	for _, mention := range mentions {
		if !strings.Contains(answer.stderr, mention) {
			t.Errorf("hub %v says nothing of %q:\n%s", args, mention, answer.stderr)
		}
	}
}

// A cluster of another major version is somebody's data: it is left as it is, to the byte.
func TestADataFolderOfAnotherMajorVersionIsLeftAlone(t *testing.T) {
	t.Parallel()

	data := filepath.Join(openFolder(t), "data")
	at := overData(t, data)
	at.serve(t).endGently(t)

	version := filepath.Join(data, "postgres", "PG_VERSION")

	was, err := os.ReadFile(version)
	if err != nil {
		t.Fatal(err)
	}

	const other = "13"
	if strings.TrimSpace(string(was)) == other {
		t.Fatalf("this machine has Postgres %s, which the test takes for the other one", other)
	}

	if err := os.WriteFile(version, []byte(other+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	before := inventory(t, filepath.Join(data, "postgres"))

	for _, args := range [][]string{{"serve"}, {"token", "list"}} {
		refusesToStart(t, at, args, 1, data, "Postgres "+other, strings.TrimSpace(string(was)), "HUB_POSTGRES_BIN", "pg_upgrade", "HUB_DATA_DIR")
	}

	if after := inventory(t, filepath.Join(data, "postgres")); after != before {
		t.Errorf("the cluster was touched:\n%s\nwas\n%s", after, before)
	}

	// With the version put right it is the same hub again.
	if err := os.WriteFile(version, was, 0o600); err != nil {
		t.Fatal(err)
	}

	at.serve(t).endGently(t)
}

// inventory is everything there is of a folder: names, modes, owners, times and contents.
func inventory(t *testing.T, folder string) string {
	t.Helper()

	var all strings.Builder

	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		info, err := entry.Info()
		if err != nil {
			return err
		}

		fmt.Fprintf(&all, "%s %s %d %s", path, info.Mode(), ownerOf(t, path), info.ModTime())

		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}

			fmt.Fprintf(&all, " %x", sha256.Sum256(content))
		}

		all.WriteString("\n")

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return all.String()
}
