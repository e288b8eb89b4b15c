package queue

import (
	"regexp"
	"strings"
)

// Key is a Jira issue key (AURORA-1537) or a temporary key (new:60). A Key that ParseKey gave is in its one spelling.
type Key string

// maxKey bounds a key; Jira's own are far shorter.
const maxKey = 255

var (
	realKey = regexp.MustCompile(`^[A-Z][A-Z0-9_]*(-[A-Z0-9_]+)*-[1-9][0-9]*$`)
	tempKey = regexp.MustCompile(`^new:[1-9][0-9]*$`)
)

// ParseKey reads a key as a person wrote it and raises a Jira key to upper case; false where it is neither kind.
func ParseKey(s string) (Key, bool) {
	if len(s) > maxKey {
		return "", false
	}

	if tempKey.MatchString(s) {
		return Key(s), true
	}

	upper := strings.ToUpper(s)

	return Key(upper), len(upper) == len(s) && realKey.MatchString(upper)
}

// Temp tells whether the key stands for an issue that an ensure_issue of the same batch will make real.
func (k Key) Temp() bool { return len(k) <= maxKey && tempKey.MatchString(string(k)) }

// Project is the part of a real key before its number.
func (k Key) Project() string {
	if dash := strings.LastIndexByte(string(k), '-'); dash > 0 {
		return string(k[:dash])
	}

	return ""
}
