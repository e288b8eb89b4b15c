package localpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldestMajor is the oldest Postgres that is used.
const oldestMajor = 14

// Programs is a folder with Postgres' server programs.
type Programs struct {
	Dir     string // Holds initdb, postgres and pg_ctl.
	Version string // As postgres tells it, such as "15.18".
	Major   int    // Such as 15.
}

// FindPrograms gives the programs that [Start] would make a new cluster with. An empty binDir
// means that they are looked for; the error is [ErrNoPrograms] where there are none.
func FindPrograms(ctx context.Context, binDir string) (Programs, error) {
	who, err := serverAccount(0, false)
	if err != nil {
		return Programs{}, err
	}

	return choose(ctx, usualPlaces(binDir), who, "", "")
}

// places is where programs are looked for, best first, and from what a person may have asked for.
type places struct {
	dirs []string
	only string // The one folder that was asked for.
}

func usualPlaces(binDir string) places {
	if binDir != "" {
		return places{dirs: []string{binDir}, only: binDir}
	}

	var dirs []string

	dirs = append(dirs, broughtAlong()...)

	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) { // A relative one would run whatever lies in the current folder.
			dirs = append(dirs, dir)
		}
	}

	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
		"/usr/pgsql-*/bin",          // the PostgreSQL project's packages for Red Hat and SUSE
		"/usr/lib/postgresql*/bin",  // SUSE
		"/usr/libexec/postgresql*",  // Alpine
		"/usr/lib64/postgresql-*/bin",
		"/opt/homebrew/opt/postgresql*/bin",
		"/usr/local/opt/postgresql*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"/usr/local/pgsql/bin",
		"/opt/local/lib/postgresql*/bin", // MacPorts
	} {
		dirs = append(dirs, newestFirst(pattern)...)
	}

	return places{dirs: dirs}
}

// broughtAlong are the places where a build puts programs that it could not install as a package.
func broughtAlong() []string {
	var dirs []string

	if cwd, err := os.Getwd(); err == nil {
		dir := filepath.Join(cwd, ".build", "postgres", "bin")
		// The current folder may be anyone's: nothing of a stranger's is run from it.
		if info, err := os.Stat(dir); err == nil && slices.Contains([]int{0, os.Geteuid()}, int(ownerOf(info))) {
			dirs = append(dirs, dir)
		}
	}

	if self, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Join(filepath.Dir(self), "..", ".build", "postgres", "bin"))
	}

	return dirs
}

var number = regexp.MustCompile(`\d+`)

// newestFirst sorts the folders of a pattern by the version in their names, as numbers.
func newestFirst(pattern string) []string {
	found, err := filepath.Glob(pattern)
	if err != nil { // Only for a malformed pattern; ours are constants.
		return nil
	}

	version := func(dir string) int {
		numbers := number.FindAllString(dir, -1)
		if len(numbers) == 0 {
			return 0
		}

		last, err := strconv.Atoi(numbers[len(numbers)-1])
		if err != nil { // Longer than any version.
			return 0
		}

		return last
	}

	slices.SortStableFunc(found, func(a, b string) int { return version(b) - version(a) })

	return found
}

// choose takes the first programs that work. For a cluster that is there already, in folder and
// of a major version, only programs of that version do.
func choose(ctx context.Context, where places, who account, folder, major string) (Programs, error) {
	var (
		usable []Programs
		wrong  []string
		seen   = map[string]bool{}
	)

	for _, place := range where.dirs {
		dir, ok := together(place)
		if !ok || seen[dir] {
			continue
		}

		seen[dir] = true

		programs, err := probe(ctx, dir, who)
		if err != nil {
			wrong = append(wrong, err.Error())

			continue
		}

		if major == "" || major == strconv.Itoa(programs.Major) {
			return programs, nil
		}

		usable = append(usable, programs)
	}

	if err := ctx.Err(); err != nil {
		return Programs{}, fmt.Errorf("look for Postgres' programs: %w", err)
	}

	if len(usable) > 0 {
		return Programs{}, otherMajor(folder, major, usable)
	}

	return Programs{}, noPrograms(where, wrong)
}

// together resolves a place to the folder in which initdb, postgres and pg_ctl stand side by side.
// A lone link to postgres counts as where it leads.
func together(place string) (string, bool) {
	postgres, err := filepath.EvalSymlinks(filepath.Join(place, "postgres"))
	if err != nil {
		return "", false
	}

	dir := filepath.Dir(postgres)
	for _, name := range []string{"initdb", "postgres", "pg_ctl"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return "", false
		}
	}

	return dir, true
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) ((\d+)\S*)`)

// probe runs postgres as the account will: that alone tells whether it can be reached and its
// libraries are there.
func probe(ctx context.Context, dir string, who account) (Programs, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version") //nolint:gosec // Found, not given by a request.
	who.run(cmd, "/")

	out, err := cmd.CombinedOutput()
	if err != nil {
		return Programs{}, fmt.Errorf("%s does not run as account %s: %w %s", cmd.Path, who.name, err, strings.TrimSpace(string(out)))
	}

	match := versionLine.FindSubmatch(out)
	if match == nil {
		return Programs{}, fmt.Errorf("%s does not tell its version but %q", cmd.Path, out)
	}

	major, err := strconv.Atoi(string(match[2]))
	if err != nil {
		return Programs{}, fmt.Errorf("version of %s: %w", cmd.Path, err)
	}

	if major < oldestMajor {
		return Programs{}, fmt.Errorf("%s is %s, the oldest that will do is %d", cmd.Path, match[1], oldestMajor)
	}

	return Programs{Dir: dir, Version: string(match[1]), Major: major}, nil
}

func noPrograms(where places, wrong []string) error {
	text := "on this machine"
	if where.only != "" {
		text = "in " + where.only
	}

	if len(wrong) > 0 {
		text += " (" + strings.Join(wrong, "; ") + ")"
	}

	return fmt.Errorf("%w %s, initdb, postgres and pg_ctl are needed: install them (Debian, Ubuntu: apt install postgresql; "+
		"macOS: brew install postgresql@18), or name their folder with HUB_POSTGRES_BIN, "+
		"or name a running server with HUB_DATABASE_URL", ErrNoPrograms, text)
}

func otherMajor(folder, major string, usable []Programs) error {
	found := make([]string, 0, len(usable))
	for _, programs := range usable {
		found = append(found, fmt.Sprintf("%s in %s", programs.Version, programs.Dir))
	}

	return fmt.Errorf("%w: data folder %s was made by Postgres %s, found are the programs of %s; nothing was changed: "+
		"name the folder of the programs of %[3]s with --postgres-bin (HUB_POSTGRES_BIN); where this system's packages have none of %[3]s, "+
		"those of https://www.postgresql.org/download/ have; to move to another version bring the data over with pg_upgrade or pg_dump; "+
		"to begin anew name another folder with HUB_DATA_DIR", ErrOtherMajor, folder, major, strings.Join(found, ", "))
}
