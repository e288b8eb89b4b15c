package localpg

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// socketFile is how Postgres names its socket; a second file beside it is its lock.
func socketFile(port int) string { return ".s.PGSQL." + strconv.Itoa(port) }

// claimSocketDir gives the first folder that can hold the socket, made where it is missing.
//
// The data folder's own run/ comes first: whoever sees the data sees it, no tidying of /tmp
// touches it and nobody else can be there before us. Where its path is too long for a socket, or
// its file system has none, it is a short one whose name comes from the data folder's.
func claimSocketDir(ctx context.Context, dataDir string, owner account) (string, error) {
	var wrong []error

	for _, dir := range socketDirs(dataDir) {
		err := claim(ctx, dir, owner)
		if err == nil {
			return dir, nil
		}

		wrong = append(wrong, err)
	}

	return "", fmt.Errorf("no folder for the server's socket: %w", errors.Join(wrong...))
}

func socketDirs(dataDir string) []string {
	const others = 8 // Should another user have made the first ones, to be in the way.

	name := fmt.Sprintf("sdlc-hub-%x", sha256.Sum256([]byte(dataDir)))[:len("sdlc-hub-")+16]
	dirs := []string{filepath.Join(dataDir, "run")}

	if os.Geteuid() == 0 {
		dirs = append(dirs, filepath.Join("/run", name))
	}

	// Not $XDG_RUNTIME_DIR, which goes away when its user logs out, nor $TMPDIR, which is long on macOS.
	dirs = append(dirs, filepath.Join("/tmp", name))
	for i := range others {
		dirs = append(dirs, filepath.Join("/tmp", name+"-"+strconv.Itoa(i+1)))
	}

	return dirs
}

// claim makes dir the account's alone, or finds that it is, and tries a socket in it.
func claim(ctx context.Context, dir string, owner account) error {
	var address syscall.RawSockaddrUnix
	if len(filepath.Join(dir, socketFile(port))) >= len(address.Path) {
		return fmt.Errorf("%s is too long for a socket", dir)
	}

	if strings.Contains(dir, ",") {
		return fmt.Errorf("%s has a comma, which parts the hosts of an URL", dir)
	}

	err := os.Mkdir(dir, folderMode)
	if err == nil && os.Geteuid() == 0 {
		err = os.Lchown(dir, int(owner.uid), int(owner.gid))
	}

	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the socket's folder: %w", err)
	}

	if err := private(dir, owner); err != nil {
		return err
	}

	// No server runs, so these are a dead one's; Postgres would refuse to start where the number
	// in the lock is by now another process's.
	for _, name := range []string{socketFile(port), socketFile(port) + ".lock", "probe"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear the socket's folder: %w", err)
		}
	}

	probe, err := new(net.ListenConfig).Listen(ctx, "unix", filepath.Join(dir, "probe"))
	if err != nil {
		return fmt.Errorf("try a socket: %w", err)
	}

	if err := probe.Close(); err != nil {
		return fmt.Errorf("try a socket: %w", err)
	}

	return nil
}

// private says whether dir is a folder that only the account and root can enter.
func private(dir string, owner account) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("socket's folder: %w", err)
	}

	if !info.IsDir() || info.Mode().Perm() != folderMode || ownerOf(info) != owner.uid {
		return fmt.Errorf("%s is not a folder of mode 0700 of account %s but %s, of %s",
			dir, owner.name, info.Mode(), userName(ownerOf(info)))
	}

	return nil
}

// listens says whether someone listens on the socket. Unlike a process number this is true for a
// server in another container on the same folder as well.
func listens(ctx context.Context, dir string, port int) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, socketFile(port)))
	if err != nil {
		return false
	}

	_ = conn.Close() // Only knocked.

	return true
}
