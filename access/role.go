package access

import (
	"fmt"
	"slices"
	"strings"
)

// Role says what a caller may do. Its text is what the command line takes and shows.
type Role string

// The roles. None includes another: who may call what is listed field by field in the schema.
const (
	// Viewer reads.
	Viewer Role = "viewer"
	// Operator reads, and writes what a person may write.
	Operator Role = "operator"
	// Agent claims and reports for its site.
	Agent Role = "agent"
	// Admin is an operator of the whole site.
	Admin Role = "admin"
)

// Roles lists every role, in the order in which they are shown.
func Roles() []Role { return []Role{Viewer, Operator, Agent, Admin} }

// ParseRole reads a role's text, which is in lower case.
func ParseRole(text string) (Role, error) {
	if role := Role(text); slices.Contains(Roles(), role) {
		return role, nil
	}

	return "", fmt.Errorf("there is no role %.40q: it is one of %s", text, roleList(Roles()))
}

// UnmarshalText lets a flag or a column be a Role; it errors as ParseRole does.
func (r *Role) UnmarshalText(text []byte) error {
	role, err := ParseRole(string(text))
	if err != nil {
		return err
	}

	*r = role

	return nil
}

func (r Role) String() string { return string(r) }

func roleList(roles []Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = string(role)
	}

	return strings.Join(names, ", ")
}
