package jira

import (
	"fmt"
	"strings"
)

// Named is a thing with an id and a name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// choose finds a type of issues by name.
func choose(types []Named, name string) (Named, error) {
	names := make([]string, len(types))

	for i, t := range types {
		if t.Name == name {
			return t, nil
		}

		names[i] = t.Name
	}

	return Named{}, fmt.Errorf("no issue type %q can be created there; there are: %s", name, strings.Join(names, ", "))
}
