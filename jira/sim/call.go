package sim

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// call is one call of the API that is being answered, with Sim.mu held.
type call struct {
	sim   *Sim
	store *store
	r     *http.Request
	body  []byte
	base  string // scheme and host
	api   string // the prefix of the platform's API

	entry Write // what the log will say of it
}

// answer is what a call is answered with.
type answer struct {
	status int
	body   any // JSON; nil: nothing
	header map[string]string
}

type handler func(*call) answer

func ok(body any) answer      { return answer{status: http.StatusOK, body: body} }
func created(body any) answer { return answer{status: http.StatusCreated, body: body} }
func noContent() answer       { return answer{status: http.StatusNoContent} }

// refused is a refusal as a whole, in Jira's words.
func refused(status int, messages ...string) answer {
	return answer{status: status, body: object{"errorMessages": messages, "errors": object{}}}
}

// refusedFields is a refusal field by field.
func refusedFields(problems map[string]string) answer {
	for _, problem := range problems {
		if problem == gdpr {
			return refused(http.StatusBadRequest, gdpr)
		}
	}

	return answer{status: http.StatusBadRequest, body: object{"errorMessages": []string{}, "errors": problems}}
}

func refusedField(id, problem string) answer { return refusedFields(map[string]string{id: problem}) }

func (c *call) query(name string) string { return c.r.URL.Query().Get(name) }

// values reads a parameter that may be repeated or parted by commas.
func (c *call) values(name string) []string {
	var all []string

	for _, value := range c.r.URL.Query()[name] {
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); one != "" {
				all = append(all, one)
			}
		}
	}

	return all
}

// page reads startAt and maxResults.
func (c *call) page(standard, most int) (start, limit int) {
	start, _ = strconv.Atoi(c.query("startAt"))

	limit, err := strconv.Atoi(c.query("maxResults"))
	if err != nil || limit <= 0 {
		limit = standard
	}

	return max(start, 0), min(limit, most)
}

// cut is a page of a list.
func cut[T any](list []T, start, limit int) []T {
	start = min(start, len(list))

	return list[start:min(start+limit, len(list))]
}

// decode reads the body; what it cannot read it answers in the dialect's words.
func (c *call) decode(into any) (answer, bool) {
	decoder := json.NewDecoder(bytes.NewReader(c.body))
	decoder.UseNumber()

	err := decoder.Decode(into)

	switch {
	case err == nil:
		return answer{}, true
	case c.store.cloud():
		return refused(http.StatusBadRequest, "There was an error parsing JSON. Check that your request body is valid."), false
	default:
		return refused(http.StatusBadRequest, "Unexpected character in the request body: "+err.Error()+
			"\n at [Source: org.apache.catalina.connector.CoyoteInputStream@5d38f2ff; line: 1, column: 1]"), false
	}
}

// pathIssue is the issue that the path names.
func (c *call) pathIssue() (*issue, answer, bool) {
	i, ok := c.store.issue(c.r.PathValue("key"))
	if !ok {
		return nil, refused(http.StatusNotFound, c.noIssue()), false
	}

	return i, answer{}, true
}

func (c *call) noIssue() string {
	if c.store.cloud() {
		return "Issue does not exist or you do not have permission to see it."
	}

	return "Issue Does Not Exist"
}

func (c *call) pathProject() (*project, answer, bool) {
	p, ok := c.store.project(c.r.PathValue("project"))
	if !ok {
		return nil, refused(http.StatusNotFound, "No project could be found with key '"+c.r.PathValue("project")+"'."), false
	}

	return p, answer{}, true
}

// wrote tells the log what a write did.
func (c *call) wrote(what string, i *issue) {
	c.entry.Did, c.entry.Key, c.entry.Labels = what, i.key, slices.Clone(i.labels)
}
