package localpg_test

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

// snapshot is every path under a folder with its mode and size, to tell that nothing was changed.
func snapshot(t *testing.T, dir string) string {
	t.Helper()

	var text strings.Builder

	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		info, err := entry.Info()
		if err != nil {
			return err
		}

		text.WriteString(path + " " + info.Mode().String() + " " + ownerOf(t, path) + "\n")

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return text.String()
}

// refuse expects Start to fail with an error that says all of this, and to have changed nothing.
func refuse(t *testing.T, cfg localpg.Config, kind error, says ...string) {
	t.Helper()

	parent := filepath.Dir(cfg.DataDir)
	before := snapshot(t, parent)

	server, err := localpg.Start(t.Context(), cfg)
	if err == nil {
		closeServer(t, server)
		t.Fatal("it started")
	}

	t.Log(err)

	if !errors.Is(err, kind) {
		t.Errorf("it is another error than %q", kind)
	}

	for _, words := range says {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("it does not say %q", words)
		}
	}

	if after := snapshot(t, parent); after != before {
		t.Errorf("it changed\n%s\nto\n%s", before, after)
	}
}

func TestAForeignFolderIsLeftAlone(t *testing.T) {
	t.Parallel()

	for name, fill := range map[string]func(dir string) error{
		"a file in it":                   func(dir string) error { return os.WriteFile(filepath.Join(dir, "thesis.doc"), []byte("years"), 0o600) },
		"a folder like a cluster's name": func(dir string) error { return os.Mkdir(filepath.Join(dir, "postgres"), 0o755) },
		"a cluster of someone else":      func(dir string) error { return os.WriteFile(filepath.Join(dir, "PG_VERSION"), []byte("12\n"), 0o600) },
		"a file in its place":            func(dir string) error { return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			dataDir := filepath.Join(scratch(t), "data")
			if err := errors.Join(os.Mkdir(dataDir, 0o755), fill(dataDir)); err != nil {
				t.Fatal(err)
			}

			refuse(t, localpg.Config{DataDir: dataDir, Unsafe: true}, localpg.ErrForeignFolder, dataDir)
		})
	}
}

func TestAnEmptyDiskIsNoForeignFolder(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	if err := os.MkdirAll(filepath.Join(dataDir, "lost+found"), 0o700); err != nil {
		t.Fatal(err)
	}

	start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
}

func TestAClusterOfAnotherMajorVersionIsLeftAlone(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	closeServer(t, server)

	found, err := localpg.FindPrograms(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}

	// 12 is not to be had any more where this runs; matching programs would rightly be taken.
	version := filepath.Join(dataDir, "postgres", "PG_VERSION")
	if err := os.WriteFile(version, []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	refuse(t, localpg.Config{DataDir: dataDir, Unsafe: true}, localpg.ErrOtherMajor,
		dataDir, "made by Postgres 12", found.Version, found.Dir, "the programs of 12", "HUB_POSTGRES_BIN", "HUB_DATA_DIR")
}

func TestWithoutProgramsNothingIsMade(t *testing.T) {
	t.Parallel()

	parent := scratch(t)

	refuse(t, localpg.Config{DataDir: filepath.Join(parent, "data"), BinDir: parent}, localpg.ErrNoPrograms,
		parent, "apt install postgresql", "HUB_POSTGRES_BIN", "HUB_DATABASE_URL")
}

func TestAParentThatTheServersAccountCannotPassIsNamed(t *testing.T) {
	t.Parallel()

	closed := filepath.Join(scratch(t), "closed")
	if err := os.MkdirAll(filepath.Join(closed, "between", "data"), 0o755); err != nil {
		t.Fatal(err)
	}

	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}

	_, err := localpg.Start(t.Context(), localpg.Config{DataDir: filepath.Join(closed, "between", "data")})
	if !errors.Is(err, localpg.ErrImpassable) || !strings.Contains(err.Error(), "cannot pass "+closed+" (d---------") {
		t.Errorf("got %v", err)
	}

	if err := os.Chmod(closed, 0o755); err != nil {
		t.Fatal(err)
	}

	if left := glob(t, filepath.Join(closed, "between", "data", "*")); len(left) > 0 || ownerOf(t, filepath.Join(closed, "between", "data")) != ownerOf(t, closed) {
		t.Errorf("it changed the data folder: %v", left)
	}
}

func TestMissingParentsAreMadePassable(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "one", "two", "data")
	start(t, localpg.Config{DataDir: dataDir, Unsafe: true})

	info, err := os.Stat(filepath.Dir(dataDir))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the parent has %v, %v", info.Mode(), err)
	}
}

func TestAFolderUnderTwoNamesIsOneCluster(t *testing.T) {
	t.Parallel()

	parent := scratch(t)
	dataDir := filepath.Join(parent, "data")
	alias := filepath.Join(parent, "alias")

	if err := errors.Join(os.Mkdir(dataDir, 0o700), os.Symlink(dataDir, alias)); err != nil {
		t.Fatal(err)
	}

	one := start(t, localpg.Config{DataDir: alias, Unsafe: true})
	two := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})

	if one.URL("hub") != two.URL("hub") {
		t.Errorf("%s and %s", one.URL("hub"), two.URL("hub"))
	}
}

func TestAnUnprivilegedUserRunsItAsThemselves(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	if err := os.Mkdir(dataDir, 0o700); err != nil {
		t.Fatal(err)
	}

	var who *syscall.Credential // As who runs this test, unless that is root.

	if os.Geteuid() == 0 {
		who = credential(t, nobody(t))

		if err := os.Chown(dataDir, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}

	owner := ownerOf(t, dataDir)
	user := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, who)
	told := user.ready()
	t.Logf("the first start took %v", told.Took)

	if got := ownerOf(t, filepath.Join(dataDir, "run", ".s.PGSQL.5432")); got != owner {
		t.Errorf("the server runs as user %s, want %s", got, owner)
	}

	// Root, if that is who runs this test, joins the other user's server and leaves it theirs.
	pid := serverPID(t, dataDir)
	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})

	user.leave()

	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" || serverPID(t, dataDir) != pid {
		t.Error("the server did not stay")
	}

	closeServer(t, server)
	eventually(t, "the server stops", func() bool { return !lives(pid) })

	server = start(t, localpg.Config{DataDir: dataDir, Unsafe: true})

	for _, path := range []string{dataDir, filepath.Join(dataDir, "postgres"), filepath.Join(dataDir, "postgres", "postmaster.pid"), filepath.Join(dataDir, "start.lock")} {
		if got := ownerOf(t, path); got != owner {
			t.Errorf("%s was given to user %s", path, got)
		}
	}

	closeServer(t, server)

	again := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, who)
	again.ready()
	again.leave()
}

// nobody is another account than the one that root's servers run under.
func nobody(t *testing.T) string {
	t.Helper()

	for _, name := range []string{"nobody", "daemon"} {
		if found, err := user.Lookup(name); err == nil && found.Uid != expectedAccount(t) {
			return found.Uid
		}
	}

	t.Fatal("this machine has no second unprivileged account")

	return ""
}

func TestAStrangersFolderIsRefusedWithItsOwnersName(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")

	var who *syscall.Credential

	if os.Geteuid() == 0 {
		who = credential(t, nobody(t))

		if err := os.Mkdir(dataDir, 0o755); err != nil {
			t.Fatal(err)
		}
	} else {
		dataDir = "/var" // The one folder that is root's everywhere; it is not empty either.
	}

	told := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, who).report()
	if !strings.Contains(told.Error, dataDir) || (who != nil && !strings.Contains(told.Error, "belongs to root: run the hub as root, or")) {
		t.Errorf("got %q", told.Error)
	}
}

// As after root restored a backup.
func TestAClusterOfRootIsHandedToTheServersAccount(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	closeServer(t, start(t, localpg.Config{DataDir: dataDir, Unsafe: true}))

	want := expectedAccount(t)

	err := filepath.WalkDir(dataDir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, os.Geteuid(), os.Getegid()))
	})
	if err != nil {
		t.Fatal(err)
	}

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}

	for _, path := range []string{dataDir, filepath.Join(dataDir, "postgres", "base", "1", "PG_VERSION")} {
		if got := ownerOf(t, path); got != want {
			t.Errorf("%s is of user %s, want %s", path, got, want)
		}
	}
}

func TestDefaultDataDir(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/somewhere")

	want := "/somewhere/sdlc-hub"
	if os.Geteuid() == 0 {
		want = "/var/lib/sdlc-hub"
	}

	if got, err := localpg.DefaultDataDir(); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}
