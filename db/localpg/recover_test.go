package localpg_test

import (
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sdlc-hub/sdlc-hub/db/localpg"
)

func TestFiveProcessesMakeAndStartOneCluster(t *testing.T) {
	t.Parallel()

	parent := scratch(t)
	spec := childSpec{DataDir: filepath.Join(parent, "data"), Go: filepath.Join(parent, "go")}

	const racers = 5

	children := make([]*child, 0, racers)
	for range racers {
		children = append(children, startChild(t, spec, nil))
	}

	if err := os.WriteFile(spec.Go, nil, 0o600); err != nil {
		t.Fatal(err)
	}

	for i, racer := range children {
		told := racer.ready()
		do(t, told.URL, fmt.Sprintf("CREATE TABLE by_%d ()", i))
		t.Logf("started after %v", told.Took)
	}

	pid := serverPID(t, spec.DataDir)

	for _, racer := range children {
		racer.leave()
	}

	eventually(t, "the last of them stops the server", func() bool { return !lives(pid) })

	if starts := strings.Count(serverLog(t, spec.DataDir), "starting PostgreSQL"); starts != 1 {
		t.Errorf("the server was started %d times", starts)
	}

	// What each of them wrote is in one cluster.
	server := start(t, localpg.Config{DataDir: spec.DataDir})
	if tables := ask(t, server.URL("hub"), "SELECT count(*)::text FROM pg_tables WHERE tablename LIKE 'by_%'"); tables != strconv.Itoa(racers) {
		t.Errorf("the cluster has the tables of %s processes", tables)
	}
}

// Several rounds of users that come and go at once: none may find its server stopped under it.
func TestUsersWhoComeWhileOthersLeaveAreServed(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	closeServer(t, start(t, localpg.Config{DataDir: dataDir, Unsafe: true}))

	const users, rounds = 4, 8

	done := make(chan error, users)

	for range users {
		go func() {
			for range rounds {
				if err := useOnce(t, dataDir); err != nil {
					done <- err

					return
				}
			}

			done <- nil
		}()
	}

	for range users {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func useOnce(t *testing.T, dataDir string) error {
	t.Helper()

	server, err := localpg.Start(t.Context(), localpg.Config{DataDir: dataDir, Unsafe: true})
	if err != nil {
		return err
	}

	conn, err := pgx.Connect(t.Context(), server.URL("hub"))
	if err == nil {
		err = errors.Join(conn.Ping(t.Context()), conn.Close(t.Context()))
	}

	return errors.Join(err, server.Close(t.Context()))
}

func TestCtrlCReachesTheUserAndNotItsServer(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, nil)
	told := user.ready()
	pid := serverPID(t, dataDir)

	// A terminal sends it to every process of the group.
	if err := syscall.Kill(-user.cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}

	if line, err := user.out.ReadString('\n'); err != nil || line != "interrupted\n" {
		t.Fatalf("the user was not interrupted: %q, %v", line, err)
	}

	if got := ask(t, told.URL, "SELECT 'up'"); got != "up" {
		t.Errorf("the server answers %q", got)
	}

	user.leave()
	eventually(t, "the user stops the server itself", func() bool { return !lives(pid) })

	if log := serverLog(t, dataDir); strings.Count(log, "shutdown request") != 1 {
		t.Errorf("the server was asked to stop more than once:\n%s", log)
	}
}

func TestTheServerOfAKilledUserIsUsedAndThenStopped(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, nil)
	do(t, user.ready().URL, "CREATE TABLE kept ()")

	pid := serverPID(t, dataDir)

	user.kill()

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	do(t, server.URL("hub"), "TABLE kept")

	if now := serverPID(t, dataDir); now != pid {
		t.Errorf("the server is process %d, was %d", now, pid)
	}

	closeServer(t, server)
	eventually(t, "the server of the killed user is stopped", func() bool { return !lives(pid) })
}

func TestAServerKilledWithItsUserRecovers(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir}, nil)
	told := user.ready()

	do(t, told.URL, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")

	// A session that will not notice the server's death by itself for long, and so holds its memory.
	busy := connect(t, told.URL)
	if _, err := busy.Exec(t.Context(), "SET statement_timeout = 0"); err != nil {
		t.Fatal(err)
	}

	orphan := int(busy.PgConn().PID())
	sent := make(chan struct{})

	go func() {
		defer close(sent)

		_, _ = busy.Exec(t.Context(), "SELECT count(*) FROM generate_series(1, 1000000000) a") // Ends with the session.
	}()

	eventually(t, "the session is busy", func() bool {
		return ask(t, told.URL, "SELECT count(*)::text FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%1000000000%' AND pid <> pg_backend_pid()") == "1"
	})

	pid := serverPID(t, dataDir)

	user.kill()

	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	server := start(t, localpg.Config{DataDir: dataDir})

	<-sent

	if count := ask(t, server.URL("hub"), "SELECT count(*)::text FROM kept"); count != "1000" {
		t.Errorf("%s of 1000 rows were kept", count)
	}

	eventually(t, "the orphan ends", func() bool { return !lives(orphan) })

	if log := serverLog(t, dataDir); !strings.Contains(log, "automatic recovery in progress") {
		t.Errorf("the server did not recover:\n%s", log)
	}
}

func TestAStalePidFileWhoseNumberIsAnotherProcessIsNoHindrance(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, nil)
	user.ready()

	pid := serverPID(t, dataDir)
	pidFile := filepath.Join(dataDir, "postgres", "postmaster.pid")
	socketLock := filepath.Join(dataDir, "run", ".s.PGSQL.5432.lock")

	user.kill()

	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	eventually(t, "the server is dead", func() bool { return !lives(pid) })

	// Another process of the same account, as Postgres takes no one else's for its own.
	other := osexec.Command("sleep", "3600") //nolint:noctx // Killed below.
	if os.Geteuid() == 0 {
		other.SysProcAttr = &syscall.SysProcAttr{Credential: credential(t, expectedAccount(t))}
	}

	if err := other.Start(); err != nil {
		t.Fatal(err)
	}

	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	}()

	for _, path := range []string{pidFile, socketLock} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}

		reused := strings.Replace(string(text), strconv.Itoa(pid), strconv.Itoa(other.Process.Pid), 1)
		if err := os.WriteFile(path, []byte(reused), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}

	closeServer(t, server)

	if !lives(other.Process.Pid) {
		t.Error("a process that is none of ours was stopped")
	}
}

func TestAnEmptyPidFileIsNoHindrance(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	closeServer(t, start(t, localpg.Config{DataDir: dataDir, Unsafe: true}))

	if err := os.WriteFile(filepath.Join(dataDir, "postgres", "postmaster.pid"), nil, 0o600); err != nil {
		t.Fatal(err)
	}

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}
}

func TestAKillWhileTheClusterIsMadeLeavesNoneAndIsSweptUp(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir, BinDir: programs(t, "initdb", endlessInitdb), Unsafe: true}, nil)

	eventually(t, "the cluster is made but for its last step", func() bool {
		return len(glob(t, filepath.Join(dataDir, "postgres.new-*", "made"))) > 0
	})

	// With what it runs, as initdb is in its group.
	if err := syscall.Kill(-user.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	_ = user.cmd.Wait()

	if _, err := os.Stat(filepath.Join(dataDir, "postgres")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("there is a cluster already: %v", err)
	}

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}

	if left := glob(t, filepath.Join(dataDir, "postgres.new-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestADatabaseThatAKilledRunDidNotMakeIsMade(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	do(t, server.AdminURL("postgres"), "DROP DATABASE hub")
	do(t, server.AdminURL("postgres"), "DROP ROLE hub")

	joined := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, joined.URL("hub"), "SELECT current_user::text"); got != "hub" {
		t.Errorf("got %q", got)
	}
}

func TestAServerThatLostItsSocketIsStartedAgain(t *testing.T) {
	t.Parallel()

	dataDir := filepath.Join(scratch(t), "data")
	user := startChild(t, childSpec{DataDir: dataDir, Unsafe: true}, nil)
	user.ready()
	pid := serverPID(t, dataDir)

	if err := os.Remove(filepath.Join(dataDir, "run", ".s.PGSQL.5432")); err != nil {
		t.Fatal(err)
	}

	if _, err := localpg.Start(t.Context(), localpg.Config{DataDir: dataDir, Unsafe: true}); err == nil || !strings.Contains(err.Error(), "lost its socket") {
		t.Errorf("beside another user: %v", err)
	}

	user.kill()

	server := start(t, localpg.Config{DataDir: dataDir, Unsafe: true})
	if got := ask(t, server.URL("hub"), "SELECT 'up'"); got != "up" || serverPID(t, dataDir) == pid {
		t.Errorf("got %q of process %d", got, serverPID(t, dataDir))
	}
}

// credential of a user id, with its own group.
func credential(t *testing.T, uid string) *syscall.Credential {
	t.Helper()

	id, err := strconv.ParseUint(uid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}

	return &syscall.Credential{Uid: uint32(id), Gid: uint32(id)}
}
