package sim

import "net/http"

const (
	allFields       = "*all"
	navigableFields = "*navigable"

	maxBulk = 100
)

func getIssue(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	return ok(c.issue(i, c.wanted(allFields)))
}

// wanted reads the parameters that say what of an issue is to be told.
func (c *call) wanted(standard string) wanted {
	w := wanted{ids: c.values("fields"), standard: standard, properties: c.values("properties")}
	for _, expanded := range c.values("expand") {
		w.names = w.names || expanded == "names"
	}

	return w
}

// bulkFetch is Cloud's way to read many issues of which some may not exist.
func bulkFetch(c *call) answer {
	var sent struct {
		Keys       []string `json:"issueIdsOrKeys"`
		Fields     []string `json:"fields"`
		Properties []string `json:"properties"`
	}
	if no, read := c.decode(&sent); !read {
		return no
	}

	if len(sent.Keys) == 0 || len(sent.Keys) > maxBulk {
		return refused(http.StatusBadRequest, "The number of issue IDs or keys must be between 1 and 100.")
	}

	issues, problems, told := []any{}, []any{}, map[*issue]bool{}

	for _, key := range sent.Keys {
		i, found := c.store.issue(key)

		switch {
		case !found:
			problems = append(problems, object{"id": key, "errorMessage": c.noIssue()})
		case !told[i]:
			told[i] = true
			issues = append(issues, c.issue(i, wanted{ids: sent.Fields, standard: navigableFields, properties: sent.Properties}))
		}
	}

	return ok(object{"issues": issues, "issueErrors": problems})
}
