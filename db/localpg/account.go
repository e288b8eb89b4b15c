package localpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that Postgres' programs run under and that owns the data folder.
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount is the caller's own for anyone but root. For root it is the owner of a
// cluster that is already there (its files must stay its server's), else postgres, else nobody.
func serverAccount(clusterOwner uint32, hasCluster bool) (account, error) {
	if euid := os.Geteuid(); euid != 0 {
		//nolint:gosec // Ids are never negative on unix.
		return account{name: userName(uint32(euid)), uid: uint32(euid), gid: uint32(os.Getegid())}, nil
	}

	if hasCluster && clusterOwner != 0 {
		return accountOf(strconv.FormatUint(uint64(clusterOwner), 10), clusterOwner)
	}

	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err == nil {
			return parseAccount(found)
		}
	}

	return account{}, errors.New("no account to run Postgres under, which refuses root: there is neither postgres nor nobody; " +
		"run the hub as another user, or name a running server with HUB_DATABASE_URL")
}

func accountOf(id string, uid uint32) (account, error) {
	found, err := user.LookupId(id)
	if err != nil {
		// A user id without a name, as in containers, has no group to look up either.
		return account{name: id, uid: uid, gid: uid}, nil //nolint:nilerr // It is no failure.
	}

	return parseAccount(found)
}

func parseAccount(found *user.User) (account, error) {
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user id of account %s: %w", found.Username, err)
	}

	gid, err := strconv.ParseUint(found.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("group id of account %s: %w", found.Username, err)
	}

	return account{name: found.Username, uid: uint32(uid), gid: uint32(gid)}, nil
}

// userName is for messages: the number where there is no name.
func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if found, err := user.LookupId(id); err == nil {
		return found.Username
	}

	return id
}

// run makes cmd run under the account, in dir, with nothing of the caller's environment
// but where to find programs and libraries: the caller's may hold secrets, and PGDATA,
// PGPORT and the like would change what the server does.
func (a account) run(cmd *exec.Cmd, dir string) {
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "LANG=C", "TZ=UTC", "HOME=" + dir, "PWD=" + dir}

	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}

	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}

	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
}
