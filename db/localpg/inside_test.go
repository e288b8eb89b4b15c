package localpg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// open to every account, unlike t.TempDir.
func openDir(t *testing.T) string {
	t.Helper()

	dir, err := os.MkdirTemp("/tmp", "localpg")
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { _ = os.RemoveAll(dir) })

	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}

	return dir
}

// fakePrograms stand for an installed version.
func fakePrograms(t *testing.T, dir, says string) string {
	t.Helper()

	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"initdb", "pg_ctl", "postgres"} {
		script := "#!/bin/sh\necho '" + says + "'\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}

	return dir
}

func caller(t *testing.T) account {
	t.Helper()

	who, err := serverAccount(0, false)
	if err != nil {
		t.Fatal(err)
	}

	return who
}

func TestProgramsOfTheClustersMajorVersionArePreferred(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	newer := fakePrograms(t, filepath.Join(dir, "a"), "postgres (PostgreSQL) 17.2")
	older := fakePrograms(t, filepath.Join(dir, "b"), "postgres (PostgreSQL) 16.6 (Debian 16.6-1)")
	both := places{dirs: []string{newer, older}}

	for major, want := range map[string]string{"": newer, "17": newer, "16": older} {
		if got, err := choose(t.Context(), both, caller(t), "/data", major); err != nil || got.Dir != want {
			t.Errorf("for a cluster of %q: %+v, %v", major, got, err)
		}
	}

	_, err := choose(t.Context(), both, caller(t), "/data", "15")
	if !errors.Is(err, ErrOtherMajor) || !strings.Contains(err.Error(), "17.2 in "+newer+", 16.6 in "+older) {
		t.Errorf("got %v", err)
	}
}

func TestProgramsThatDoNotRunArePassedOverAndNamed(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	tooOld := fakePrograms(t, filepath.Join(dir, "old"), "postgres (PostgreSQL) 9.6.24")
	strange := fakePrograms(t, filepath.Join(dir, "strange"), "hello")
	broken := fakePrograms(t, filepath.Join(dir, "broken"), "no'; exit 3; '")
	good := fakePrograms(t, filepath.Join(dir, "good"), "postgres (PostgreSQL) 16.6")

	incomplete := fakePrograms(t, filepath.Join(dir, "incomplete"), "postgres (PostgreSQL) 16.6")
	if err := os.Remove(filepath.Join(incomplete, "initdb")); err != nil {
		t.Fatal(err)
	}

	bad := []string{filepath.Join(dir, "nowhere"), incomplete, tooOld, strange, broken}

	if got, err := choose(t.Context(), places{dirs: append(slices.Clone(bad), good)}, caller(t), "", ""); err != nil || got.Dir != good {
		t.Errorf("got %+v, %v", got, err)
	}

	_, err := choose(t.Context(), places{dirs: bad}, caller(t), "", "")
	if !errors.Is(err, ErrNoPrograms) {
		t.Fatalf("got %v", err)
	}

	for _, words := range []string{"9.6.24, the oldest that will do is 14", `"hello\n"`, "broken", "apt install postgresql", "HUB_POSTGRES_BIN", "HUB_DATABASE_URL"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%v\ndoes not say %s", err, words)
		}
	}
}

func TestALoneLinkToPostgresCountsAsWhereItLeads(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	programs := fakePrograms(t, filepath.Join(dir, "programs"), "postgres (PostgreSQL) 16.6")
	bin := filepath.Join(dir, "bin")

	if err := errors.Join(os.Mkdir(bin, 0o755), os.Symlink(filepath.Join(programs, "postgres"), filepath.Join(bin, "postgres"))); err != nil {
		t.Fatal(err)
	}

	if got, ok := together(bin); !ok || got != programs {
		t.Errorf("got %s, %v", got, ok)
	}
}

func TestPATHIsLookedAtBeforeTheUsualPlaces(t *testing.T) {
	dir := openDir(t)
	t.Setenv("PATH", "relative:"+dir)

	dirs := usualPlaces("").dirs
	if i := slices.Index(dirs, dir); i < 0 || slices.Contains(dirs, "relative") {
		t.Errorf("looked at are %v", dirs)
	}

	if only := usualPlaces("/given").dirs; !slices.Equal(only, []string{"/given"}) {
		t.Errorf("beside what was given, looked at are %v", only)
	}
}

func TestWhatTheBuildBroughtAlongIsFoundFirst(t *testing.T) {
	dir := openDir(t)
	t.Chdir(dir)

	brought := fakePrograms(t, filepath.Join(dir, ".build", "postgres", "bin"), "postgres (PostgreSQL) 18.4")

	if got, err := choose(t.Context(), usualPlaces(""), caller(t), "", ""); err != nil || got.Dir != brought || got.Version != "18.4" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestNewestVersionFirst(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	for _, version := range []string{"9.6", "16", "18", "15"} {
		if err := os.MkdirAll(filepath.Join(dir, "postgresql-"+version, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
	}

	var order []string
	for _, found := range newestFirst(filepath.Join(dir, "postgresql-*", "bin")) {
		order = append(order, strings.TrimPrefix(filepath.Base(filepath.Dir(found)), "postgresql-"))
	}

	if !slices.Equal(order, []string{"18", "16", "15", "9.6"}) {
		t.Errorf("got %v", order)
	}
}

func TestASocketFolderThatSomeoneElseMadeIsNotUsed(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(openDir(t), strings.Repeat("long", 40))
	dirs := socketDirs(dataDir)
	inTheWay := dirs[1:5] // Of the short ones: the first of root's may be in /run.

	owner := caller(t)

	for i, dir := range inTheWay {
		var err error

		switch i {
		case 0: // Others may enter.
			err = errors.Join(os.Mkdir(dir, 0o755), os.Lchown(dir, int(owner.uid), int(owner.gid)))
		case 1: // A link to where someone else wants it.
			err = os.Symlink(openDir(t), dir)
		case 2: // A file.
			err = os.WriteFile(dir, nil, 0o600)
		default: // Another user's, which only root can make; else one more that others may enter.
			if err = os.Mkdir(dir, 0o711); os.Geteuid() == 0 {
				err = errors.Join(err, os.Chmod(dir, 0o700), os.Lchown(dir, 12345, 12345))
			}
		}

		if err != nil {
			t.Fatal(err)
		}

		t.Cleanup(func() { _ = os.RemoveAll(dir) })
	}

	got, err := claimSocketDir(t.Context(), dataDir, owner)
	if err != nil || got != dirs[5] {
		t.Errorf("got %s, %v", got, err)
	}

	t.Cleanup(func() { _ = os.RemoveAll(got) })

	// It is taken again by the next start.
	if again, err := claimSocketDir(t.Context(), dataDir, owner); err != nil || again != got {
		t.Errorf("got %s, %v", again, err)
	}
}

func TestAFullLogOfARunningServerIsBounded(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(openDir(t), "data")

	server, err := Start(t.Context(), Config{DataDir: dataDir, Unsafe: true})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := server.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})

	path := filepath.Join(dataDir, logName)
	line := strings.Repeat("x", 1023) + "\n"

	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}

	_, err = file.WriteString(strings.Repeat(line, logLimit/len(line)+1) + "the last line\n")
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}

	if err := server.underLock(t.Context(), server.boundLog); err != nil {
		t.Fatal(err)
	}

	old, err := os.ReadFile(filepath.Join(dataDir, oldLogName))
	if err != nil || len(old) != logLimit || !strings.HasSuffix(string(old), "the last line\n") {
		t.Errorf("the copy has %d bytes, %v", len(old), err)
	}

	// The server goes on at the beginning.
	_, err = pgx.Connect(t.Context(), server.URL("no_such_database"))
	if err == nil {
		t.Fatal("there is such a database")
	}

	log, err := os.ReadFile(path)
	if err != nil || len(log) > logLimit/2 || !strings.Contains(string(log), "no_such_database") || log[0] == 0 {
		t.Errorf("the log has %d bytes, %v: %.200s", len(log), err, log)
	}

	if err := server.underLock(t.Context(), server.boundLog); err != nil {
		t.Fatal(err)
	}

	if again, err := os.ReadFile(path); err != nil || len(again) != len(log) {
		t.Errorf("a short log was emptied: %d bytes, %v", len(again), err)
	}
}

func TestPidFileIsReadAsFarAsItIsWritten(t *testing.T) {
	t.Parallel()

	whole := "123\n/data/postgres\n1700000000\n5432\n/run/x\n\n  1 2\nready   \n"

	for text, want := range map[string]postmaster{
		whole:           {pid: 123, port: 5432, socketDir: "/run/x", ready: true},
		"-77\n/data\n9": {pid: 77},
		"":              {},
		"garbage":       {},
	} {
		if got := parsePidFile(text); got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}

	for n := range len(whole) {
		if got := parsePidFile(whole[:n]); got.ready && n < len(whole)-len("   \n") {
			t.Errorf("ready after %d bytes", n)
		}
	}
}
