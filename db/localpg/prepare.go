package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const (
	folderMode    = 0o700
	parentMode    = 0o755
	othersMayEdit = 0o022
)

// prepare makes the data folder where it is missing and hands it to the account.
func prepare(ctx context.Context, path string, owner account) error {
	if err := passable(ctx, filepath.Dir(path), owner); err != nil {
		return err
	}

	if err := makeParents(filepath.Dir(path)); err != nil {
		return err
	}

	if err := os.Mkdir(path, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the data folder: %w%s", err, ownerHint(filepath.Dir(path)))
	}

	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}

	if ownerOf(info) != owner.uid {
		if os.Geteuid() != 0 {
			return fmt.Errorf("data folder %s is not yours%s", path, ownerHint(path))
		}

		if err := os.Lchown(path, int(owner.uid), int(owner.gid)); err != nil {
			return fmt.Errorf("hand the data folder %s to account %s: %w", path, owner.name, err)
		}
	}

	// Who may rename the cluster away could put another in its place.
	if mode := info.Mode().Perm(); mode&othersMayEdit != 0 {
		if err := os.Chmod(path, mode&^othersMayEdit); err != nil {
			return fmt.Errorf("close the data folder to other users: %w", err)
		}
	}

	return nil
}

// makeParents makes the missing folders above the data folder so that the account can pass
// them, whatever the caller's umask.
func makeParents(path string) error {
	if !missing(path) { // Anything else that is wrong with it shows when it is used.
		return nil
	}

	if err := makeParents(filepath.Dir(path)); err != nil {
		return err
	}

	if err := os.Mkdir(path, parentMode); err != nil {
		if errors.Is(err, fs.ErrExist) { // Another process was faster.
			return nil
		}

		return fmt.Errorf("make the data folder's parent: %w", err)
	}

	if err := os.Chmod(path, parentMode); err != nil {
		return fmt.Errorf("open the data folder's parent: %w", err)
	}

	return nil
}

// passable finds the first folder on the way to dir that the account cannot pass; those that are
// not there yet do not count. It lets the kernel say so, which knows of access lists and mounts
// what no reading of mode bits would tell.
func passable(ctx context.Context, dir string, who account) error {
	way := ancestors(dir)
	for len(way) > 1 && missing(way[len(way)-1]) {
		way = way[:len(way)-1]
	}

	if enter(ctx, way[len(way)-1], who) == nil {
		return nil
	}

	for _, folder := range way {
		if err := enter(ctx, folder, who); err != nil {
			return fmt.Errorf("%w: account %s, under which Postgres runs, cannot pass %s (%s): "+
				"let it pass (chmod o+x %[3]s), or name another folder with HUB_DATA_DIR: %[5]w",
				ErrImpassable, who.name, folder, modeAndOwner(folder), err)
		}
	}

	return nil // It was just opened to the account.
}

func missing(path string) bool {
	_, err := os.Stat(path)

	return errors.Is(err, fs.ErrNotExist)
}

func modeAndOwner(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "mode unknown"
	}

	return info.Mode().String() + ", of " + userName(ownerOf(info))
}

// ancestors of dir, itself last.
func ancestors(dir string) []string {
	if parent := filepath.Dir(dir); parent != dir {
		return append(ancestors(parent), dir)
	}

	return []string{dir}
}

// enter tries whether the account can use dir as a working directory.
func enter(ctx context.Context, dir string, who account) error {
	if os.Geteuid() != 0 {
		const execute = 1
		if err := syscall.Access(dir, execute); err != nil {
			return fmt.Errorf("access %s: %w", dir, err)
		}

		return nil
	}

	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", ":")
	who.run(cmd, dir)

	if err := cmd.Run(); err != nil {
		return fmt.Errorf("enter %s: %w", dir, err)
	}

	return nil
}
