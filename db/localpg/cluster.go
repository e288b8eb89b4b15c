package localpg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// makeCluster makes the cluster under another name and renames it when it is whole, so that a
// kill on the way leaves nothing that looks like one. The caller holds the start lock.
//
// initdb stays in the caller's process group: a Ctrl-C that ends the caller ends it as well.
func (s *Server) makeCluster(ctx context.Context) error {
	programs, err := s.programs(ctx, "")
	if err != nil {
		return err
	}

	begun := time.Now()
	name := newPrefix + rand.Text()

	if err := s.initdb(ctx, programs, name, "C.UTF-8"); err != nil {
		return err
	}

	if err := s.root.Rename(name, clusterName); err != nil {
		return fmt.Errorf("put the new cluster in place: %w", err)
	}

	if err := syncFolder(s.path); err != nil {
		return err
	}

	s.cfg.log().InfoContext(ctx, "made a Postgres cluster", "data", s.path,
		"version", programs.Version, "account", s.owner.name, "took", time.Since(begun).Round(time.Millisecond))

	return nil
}

// initdb takes the collation C, which sorts by bytes and never changes under an index when the
// system's library is upgraded, with a character type that knows upper and lower case and the
// letters of every script: in plain C neither lower() nor pg_trgm would see Cyrillic.
func (s *Server) initdb(ctx context.Context, programs Programs, name, ctype string) error {
	args := []string{
		"--pgdata=" + filepath.Join(s.path, name),
		"--username=" + adminRole,
		"--auth-local=trust",
		"--auth-host=reject",
		"--encoding=UTF8",
		"--locale=C",
		"--lc-ctype=" + ctype,
		"--data-checksums",
	}
	if s.cfg.Unsafe {
		args = append(args, "--no-sync")
	}

	cmd := exec.CommandContext(ctx, filepath.Join(programs.Dir, "initdb"), args...) //nolint:gosec // Found, not given by a request.
	cmd.WaitDelay = 5 * time.Second
	s.owner.run(cmd, s.path)

	out, err := cmd.CombinedOutput()

	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("make the cluster: %w", context.Cause(ctx))
	case ctype != "C" && strings.Contains(string(out), "invalid locale"):
		s.cfg.log().WarnContext(ctx, "the system has no locale C.UTF-8: upper and lower case are told apart in Latin only")

		return s.initdb(ctx, programs, name, "C")
	default:
		return fmt.Errorf("make the cluster: initdb: %w\n%s", err, strings.TrimSpace(string(out)))
	}
}

func syncFolder(path string) error {
	folder, err := os.Open(path) //nolint:gosec // The data folder.
	if err != nil {
		return fmt.Errorf("write the data folder to disk: %w", err)
	}

	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("write the data folder to disk: %w", err)
	}

	return nil
}

// sweep removes clusters that never were finished. Nobody else makes one now, as the caller holds
// the start lock; an initdb that outlived its killed caller may still write there, then the rest
// goes next time.
func (s *Server) sweep(ctx context.Context) error {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("look for half-made clusters: %w", err)
	}

	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), newPrefix) {
			continue
		}

		if err := s.root.RemoveAll(entry.Name()); err != nil {
			s.cfg.log().WarnContext(ctx, "a half-made cluster is left for the next start", "name", entry.Name(), "error", err)
		}
	}

	return nil
}

// handCluster gives a cluster that is root's, as one restored from a backup by root is, to the account.
func (s *Server) handCluster() error {
	info, err := s.root.Lstat(clusterName)
	if err != nil {
		return fmt.Errorf("look at the cluster: %w", err)
	}

	if os.Geteuid() != 0 || ownerOf(info) != 0 {
		return nil
	}

	err = fs.WalkDir(s.root.FS(), clusterName, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		return s.root.Lchown(path, int(s.owner.uid), int(s.owner.gid))
	})
	if err != nil {
		return fmt.Errorf("hand the cluster to account %s: %w", s.owner.name, err)
	}

	return nil
}
