package sim

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// maxProperty is Jira's limit of a property's value, in bytes.
const maxProperty = 32_768

func listProperties(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	return ok(object{"keys": each(slices.Sorted(maps.Keys(i.properties)), func(key string) any {
		return object{"key": key, "self": c.self("issue", c.r.PathValue("key"), "properties", key)}
	})})
}

func getProperty(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	key := c.r.PathValue("property")

	value, found := i.properties[key]
	if !found {
		return refused(http.StatusNotFound, "The property '"+key+"' does not exist.")
	}

	return ok(property{Key: key, Value: value})
}

func setProperty(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	value := bytes.TrimSpace(c.body)
	if !json.Valid(value) {
		return refused(http.StatusBadRequest, "The value of the property must be a valid, non-empty JSON value.")
	}

	if len(value) > maxProperty {
		return refused(http.StatusBadRequest, "The value of the property is too long.")
	}

	key := c.r.PathValue("property")
	_, known := i.properties[key]
	i.properties[key] = value

	c.store.touch(i)
	c.wrote("property set", i)

	if known {
		return ok(object{})
	}

	return created(object{})
}

func deleteProperty(c *call) answer {
	i, no, found := c.pathIssue()
	if !found {
		return no
	}

	key := c.r.PathValue("property")
	if _, found := i.properties[key]; !found {
		return refused(http.StatusNotFound, "The property '"+key+"' does not exist.")
	}

	delete(i.properties, key)
	c.store.touch(i)
	c.wrote("property deleted", i)

	return noContent()
}
