package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// request holds a call's parameters and body against the document.
func (o *operation) request(r *http.Request, sent []byte, say func(string)) {
	known := map[string]object{}

	for _, p := range items(o.spec["parameters"]) {
		if p, ok := p.(object); ok && p["in"] == "query" {
			known[text(p["name"])] = p
		}
	}

	for name, values := range r.URL.Query() {
		p, ok := known[name]
		if !ok {
			say("no such parameter: " + name)

			continue
		}

		for _, value := range values {
			if problem := parameterProblem(member(p, "schema"), value); problem != "" {
				say(fmt.Sprintf("parameter %s: %s", name, problem))
			}
		}
	}

	for name, p := range known {
		if p["required"] == true && !r.URL.Query().Has(name) {
			say("a required parameter is missing: " + name)
		}
	}

	o.requestBody(r, sent, say)
}

func (o *operation) requestBody(r *http.Request, sent []byte, say func(string)) {
	spec := member(o.spec, "requestBody")

	switch {
	case len(spec) == 0 && len(sent) > 0:
		say("this call takes no body")

		return
	case len(spec) == 0:
		return
	case len(sent) == 0:
		if spec["required"] == true {
			say("a body is required")
		}

		return
	}

	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		say("a body must be application/json, not " + kind)
	}

	value, err := decode(sent)
	if err != nil {
		say("the body is no JSON: " + err.Error())

		return
	}

	check := &checker{doc: o.doc, sent: true, say: say}
	check.value("body", content(spec)["schema"], value)
}

// response holds an answer against the document.
func (o *operation) response(given *recorder, say func(string)) {
	if strings.HasPrefix(given.Header().Get("Content-Type"), "text/html") {
		return
	}

	spec, listed := member(o.spec, "responses")[strconv.Itoa(given.status)].(object)
	if !listed {
		if given.status < http.StatusBadRequest {
			say(fmt.Sprintf("no document lists the answer %d", given.status))
		}

		return
	}

	described := content(spec)
	if len(described) == 0 || given.body.Len() == 0 && len(member(described, "schema")) == 0 && described["example"] == nil {
		return
	}

	value, err := decode(given.body.Bytes())
	if err != nil {
		// Atlassian lists a form for some answers that have no body in truth.
		if given.body.Len() > 0 || given.status == http.StatusOK || given.status == http.StatusCreated {
			say(fmt.Sprintf("answer %d is no JSON: %v", given.status, err))
		}

		return
	}

	check := &checker{doc: o.doc, say: say}

	if schema, ok := described["schema"]; ok {
		check.value(fmt.Sprintf("answer %d", given.status), schema, value)

		return
	}

	// The Agile document describes some answers by an example alone; that of a sprint's issues is one issue by mistake.
	if o.parts[len(o.parts)-1] == "issue" {
		return
	}

	example, err := decode([]byte(text(described["example"])))
	if err == nil {
		check.like(fmt.Sprintf("answer %d", given.status), example, value)
	}
}

// content is what a body's JSON is described by.
func content(spec object) object { return member(member(spec, "content"), "application/json") }

func decode(from []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(from))
	decoder.UseNumber()

	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("decoding: %w", err)
	}

	return value, nil
}

// parameterProblem says what is wrong with a parameter, which is always sent as a text.
func parameterProblem(schema object, value string) string {
	switch schema["type"] {
	case "integer":
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return value + " is no integer"
		}
	case "boolean":
		if value != "true" && value != "false" {
			return value + " is neither true nor false"
		}
	case "string":
		if allowed := items(schema["enum"]); len(allowed) > 0 && !oneOf(allowed, value) {
			return fmt.Sprintf("%s is none of %v", value, allowed)
		}
	}

	return ""
}
