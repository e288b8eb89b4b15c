package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	clusterName   = "postgres"
	newPrefix     = "postgres.new-"
	startLockName = "start.lock"
	usersLockName = "users.lock"
	versionFile   = "PG_VERSION"
)

// content is what a data folder holds.
type content struct {
	exists     bool
	hasCluster bool
	major      string // Of the cluster, as PG_VERSION has it.
	owner      uint32 // Of the cluster's folder.
}

// resolve makes the path absolute and free of links as far as it exists, so that two names
// of one folder mean one cluster.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("data folder %s: %w", path, err)
	}

	followed, err := filepath.EvalSymlinks(path)
	if err == nil {
		return followed, nil
	}

	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("data folder %s: %w", path, err)
	}

	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("data folder %s is a link to a place that does not exist", path)
	}

	parent, err := resolve(filepath.Dir(path))
	if err != nil {
		return "", err
	}

	return filepath.Join(parent, filepath.Base(path)), nil
}

// look says what the folder holds and refuses one that is not ours. It changes nothing.
func look(path string) (content, error) {
	entries, err := os.ReadDir(path)

	switch {
	case errors.Is(err, fs.ErrNotExist):
		return content{}, nil
	case errors.Is(err, syscall.ENOTDIR):
		return content{}, fmt.Errorf("%w: %s is a file", ErrForeignFolder, path)
	case err != nil:
		return content{}, fmt.Errorf("data folder: %w%s", err, ownerHint(path))
	}

	found := content{exists: true}

	var strange []string

	ours := false

	for _, entry := range entries {
		switch entry.Name() {
		case clusterName:
			if err := found.readCluster(filepath.Join(path, clusterName)); err != nil {
				return content{}, err
			}
		case startLockName:
			ours = true
		case versionFile:
			return content{}, rawCluster(path)
		case "lost+found", ".DS_Store": // An empty disk has these.
		default:
			strange = append(strange, entry.Name())
		}
	}

	if !ours && !found.hasCluster && len(strange) > 0 {
		return content{}, fmt.Errorf("%w: %s holds other things (%s); nothing was changed: "+
			"name an empty or a new folder with HUB_DATA_DIR", ErrForeignFolder, path, some(strange))
	}

	return found, nil
}

func (c *content) readCluster(path string) error {
	version, err := os.ReadFile(filepath.Join(path, versionFile)) //nolint:gosec // The data folder's own file.
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return fmt.Errorf("%w: %s is not a Postgres cluster, it has no %s; nothing was changed: "+
				"restore it, or name another folder with HUB_DATA_DIR", ErrForeignFolder, path, versionFile)
		}

		return fmt.Errorf("look at the cluster: %w", err)
	}

	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at the cluster: %w", err)
	}

	if !info.IsDir() {
		return fmt.Errorf("%w: %s must be a folder, not a link (the data folder itself may be one)", ErrForeignFolder, path)
	}

	c.hasCluster, c.major, c.owner = true, strings.TrimSpace(string(version)), ownerOf(info)

	return nil
}

// rawCluster is the error for a folder that is itself a cluster, made by someone else.
func rawCluster(path string) error {
	version, err := os.ReadFile(filepath.Join(path, versionFile)) //nolint:gosec // Only shown.
	if err != nil {
		version = []byte("an unknown version")
	}

	return fmt.Errorf("%w: %s is itself a cluster of Postgres %s that the hub did not make; nothing was changed: "+
		"start that server and name it with HUB_DATABASE_URL, or name an empty or a new folder with HUB_DATA_DIR",
		ErrForeignFolder, path, strings.TrimSpace(string(version)))
}

func some(names []string) string {
	const shown = 3
	if len(names) > shown {
		return strings.Join(names[:shown], ", ") + ", ..."
	}

	return strings.Join(names, ", ")
}

func ownerOf(info fs.FileInfo) uint32 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok { // Never on unix.
		return 0
	}

	return stat.Uid
}

// ownerHint says whose a folder is where that explains why it cannot be used.
func ownerHint(path string) string {
	info, err := os.Lstat(path)
	if err != nil || os.Geteuid() == 0 || int(ownerOf(info)) == os.Geteuid() {
		return ""
	}

	owner := userName(ownerOf(info))
	if owner != "root" {
		owner += " or root"
	}

	return fmt.Sprintf(" (it belongs to %s: run the hub as %s, or name another folder with HUB_DATA_DIR)",
		userName(ownerOf(info)), owner)
}
