// Package contract holds what is said to a Jira on Cloud, and what it answers, against Atlassian's own OpenAPI documents.
// It is for tests: a handler is wrapped, and every departure is reported.
//
// What Data Center is told on /rest/api/2 is not looked at: Atlassian publishes no such document for it.
package contract

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

//go:embed testdata/*.json
var documents embed.FS

// undescribed are the calls that the documents here leave out although Cloud has them.
func undescribed() []string {
	return []string{"/rest/api/3/mypermissions", "/rest/api/3/project", "/rest/api/3/project/search"}
}

// Contract is the documents, read.
type Contract struct{ operations []operation }

// operation is one method on one path.
type operation struct {
	method string
	parts  []string // of the path; {name} is a parameter
	doc    *document
	spec   object
}

type object = map[string]any

// New reads the documents; an error means that they are broken.
func New() (*Contract, error) {
	c := &Contract{}

	for _, name := range []string{"testdata/subset-cloud-v3.json", "testdata/subset-cloud-agile-1.0.json"} {
		file, err := documents.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading a document: %w", err)
		}

		var root object
		if err := json.Unmarshal(file, &root); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}

		doc := &document{root: root}

		for path, methods := range member(root, "paths") {
			methods, _ := methods.(object)
			for method, spec := range methods {
				if spec, ok := spec.(object); ok {
					c.operations = append(c.operations, operation{
						method: strings.ToUpper(method), parts: strings.Split(path, "/"), doc: doc, spec: spec,
					})
				}
			}
		}
	}

	return c, nil
}

// Handler passes every call on to next and reports, in words, what is not as the documents have it: a call that they do
// not know, a parameter, a body, an answer. Errors that no document lists, and pages of HTML, are a proxy's and pass. The
// reports come from the goroutines of the calls.
func (c *Contract) Handler(next http.Handler, report func(problem string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/rest/api/3/") && !strings.HasPrefix(r.URL.Path, "/rest/agile/1.0/") {
			next.ServeHTTP(w, r)

			return
		}

		sent, err := io.ReadAll(r.Body)
		if err != nil {
			report(fmt.Sprintf("%s %s: reading what was sent: %v", r.Method, r.URL.Path, err))
		}

		r.Body = io.NopCloser(bytes.NewReader(sent))

		op, known := c.find(r)
		if !known {
			report(fmt.Sprintf("%s %s: no document knows this call", r.Method, r.URL.Path))
		}

		say := func(problem string) { report(fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, problem)) }

		if op != nil {
			op.request(r, sent, say)
		}

		kept := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(kept, r)

		if op != nil {
			op.response(kept, say)
		}
	})
}

// find is the operation of a call; the one with the most fixed parts, where several fit. A call that is known and not
// described has none.
func (c *Contract) find(r *http.Request) (found *operation, known bool) {
	if slices.Contains(undescribed(), r.URL.Path) {
		return nil, true
	}

	parts, most := strings.Split(r.URL.Path, "/"), -1

	for at := range c.operations {
		op := &c.operations[at]
		if fixed, fits := op.fits(r.Method, parts); fits && fixed > most {
			found, most = op, fixed
		}
	}

	return found, found != nil
}

func (o *operation) fits(method string, parts []string) (fixed int, fits bool) {
	if o.method != method || len(o.parts) != len(parts) {
		return 0, false
	}

	for at, part := range o.parts {
		switch {
		case strings.HasPrefix(part, "{"):
		case part != parts[at]:
			return 0, false
		default:
			fixed++
		}
	}

	return fixed, true
}

// recorder keeps an answer as it passes.
type recorder struct {
	http.ResponseWriter

	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(part []byte) (int, error) {
	r.body.Write(part)

	return r.ResponseWriter.Write(part) //nolint:wrapcheck // it passes on what it is given
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
