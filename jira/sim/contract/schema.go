package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// document is one OpenAPI document.
type document struct{ root object }

// resolve follows a reference within the document.
func (d *document) resolve(schema object) object {
	for {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}

		at := d.root
		for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			at = member(at, part)
		}

		schema = at
	}
}

// checker holds values against schemas: as much of JSON Schema as these documents use.
type checker struct {
	doc  *document
	sent bool // the value goes to Jira; otherwise it comes from it
	say  func(string)
}

func (c *checker) value(where string, described, value any) {
	schema, ok := described.(object)
	if !ok {
		return
	}

	schema = c.doc.resolve(schema)

	for _, part := range items(schema["allOf"]) {
		c.value(where, part, value)
	}

	kind, typed := schema["type"].(string)
	if !typed {
		return
	}

	if value == nil {
		if schema["nullable"] != true {
			c.say(where + " is null")
		}

		return
	}

	switch kind {
	case "object":
		c.object(where, schema, value)
	case "array":
		c.array(where, schema, value)
	case "string":
		c.string(where, schema, value)
	default:
		c.plain(where, kind, value)
	}
}

func (c *checker) object(where string, schema object, value any) {
	given, ok := value.(object)
	if !ok {
		c.say(where + " is no object")

		return
	}

	properties := member(schema, "properties")

	for name, one := range given {
		here := where + "." + name

		described, known := properties[name].(object)
		if !known {
			switch additional := schema["additionalProperties"].(type) {
			case bool:
				if !additional {
					c.say(here + " is not in the document")
				}
			case object:
				c.value(here, additional, one)
			}

			continue
		}

		if c.sent && described["readOnly"] == true {
			c.say(here + " can only be read")
		}

		c.value(here, described, one)
	}

	c.required(where, schema, given)
}

// required looks for what must be there; of what is sent, nothing that can only be read must.
func (c *checker) required(where string, schema, given object) {
	for _, name := range items(schema["required"]) {
		name := text(name)
		described := member(member(schema, "properties"), name)

		if _, there := given[name]; !there && (!c.sent || described["readOnly"] != true) {
			c.say(where + "." + name + " is missing")
		}
	}
}

func (c *checker) array(where string, schema object, value any) {
	given, ok := value.([]any)
	if !ok {
		c.say(where + " is no list")

		return
	}

	seen := map[string]bool{}

	for at, one := range given {
		c.value(fmt.Sprintf("%s[%d]", where, at), schema["items"], one)

		if schema["uniqueItems"] == true {
			written := fmt.Sprint(one)
			if seen[written] {
				c.say(fmt.Sprintf("%s[%d] is there twice", where, at))
			}

			seen[written] = true
		}
	}
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func (c *checker) string(where string, schema object, value any) {
	given, ok := value.(string)
	if !ok {
		c.say(where + " is no text")

		return
	}

	if allowed := items(schema["enum"]); len(allowed) > 0 && !oneOf(allowed, given) {
		c.say(fmt.Sprintf("%s: %q is none of %v", where, given, allowed))
	}

	if most, ok := schema["maxLength"].(float64); ok && len(utf16.Encode([]rune(given))) > int(most) {
		c.say(fmt.Sprintf("%s is longer than %v", where, most))
	}

	if !formed(text(schema["format"]), given) {
		c.say(fmt.Sprintf("%s: %q is no %s", where, given, schema["format"]))
	}
}

// formed tells whether a text has a form; Jira writes its times with a zone without a colon.
func formed(format, given string) bool {
	var err error

	switch format {
	case "date-time":
		if _, err = time.Parse("2006-01-02T15:04:05.000-0700", given); err != nil {
			_, err = time.Parse(time.RFC3339, given)
		}
	case "date":
		_, err = time.Parse(time.DateOnly, given)
	case "uri":
		var address *url.URL
		if address, err = url.Parse(given); err == nil && address.Scheme == "" {
			return false
		}
	case "uuid":
		return uuid.MatchString(given)
	}

	return err == nil
}

func (c *checker) plain(where, kind string, value any) {
	number, isNumber := value.(json.Number)
	_, isBool := value.(bool)

	switch {
	case kind == "boolean" && !isBool:
		c.say(where + " is neither true nor false")
	case kind == "number" && !isNumber:
		c.say(where + " is no number")
	case kind == "integer":
		if _, err := number.Int64(); !isNumber || err != nil {
			c.say(where + " is no integer")
		}
	}
}

// like holds a value against an example: what both have is of one kind, and the value has nothing that the example lacks.
// An issue's fields differ from one Jira to the next.
func (c *checker) like(where string, example, value any) {
	switch example := example.(type) {
	case object:
		given, ok := value.(object)
		if !ok {
			c.say(where + " is no object, unlike the example")

			return
		}

		for name, one := range given {
			if shown, there := example[name]; !there {
				c.say(where + "." + name + " is not in the example")
			} else if name != "fields" {
				c.like(where+"."+name, shown, one)
			}
		}
	case []any:
		given, ok := value.([]any)
		if !ok {
			c.say(where + " is no list, unlike the example")

			return
		}

		together := merged(example)
		for at, one := range given {
			c.like(fmt.Sprintf("%s[%d]", where, at), together, one)
		}
	default:
		if example != nil && value != nil && fmt.Sprintf("%T", example) != fmt.Sprintf("%T", value) {
			c.say(fmt.Sprintf("%s is %T, in the example %T", where, value, example))
		}
	}
}

// merged is one example of all the items of a list.
func merged(list []any) any {
	together := object{}

	for _, one := range list {
		one, ok := one.(object)
		if !ok {
			return list[0]
		}

		maps.Copy(together, one)
	}

	return together
}

func member(of object, name string) object {
	found, _ := of[name].(object)

	return found
}

func items(value any) []any {
	list, _ := value.([]any)

	return list
}

func text(value any) string {
	written, _ := value.(string)

	return written
}

func oneOf(allowed []any, value string) bool { return slices.Contains(allowed, any(value)) }
