package jira

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strconv"
)

// perPage is what is asked for of lists that come in pages; Jira may give fewer.
const perPage = 100

// all reads a list through all of its pages. The items stand under one of the given names: they differ between
// versions.
func all[T any](ctx context.Context, c *Client, path string, query url.Values, names ...string) ([]T, error) {
	query = maps.Clone(query)
	if query == nil {
		query = url.Values{}
	}

	query.Set("maxResults", strconv.Itoa(perPage))

	var items []T

	for {
		query.Set("startAt", strconv.Itoa(len(items)))

		var page map[string]json.RawMessage
		if err := c.get(ctx, path, query, &page); err != nil {
			return nil, err
		}

		start, count, err := appendPage(&items, page, names)
		if err != nil {
			return nil, fmt.Errorf("Jira's answer cannot be read: %w", err) //nolint:staticcheck // a name
		}

		if start != nil && *start != len(items)-count {
			return nil, fmt.Errorf("Jira gave the page from %d where the one from %d was asked for", *start, len(items)-count) //nolint:staticcheck // a name
		}

		if last, err := lastPage(page, len(items)); err != nil || count == 0 || last {
			return items, err
		}
	}
}

// appendPage adds a page's items and tells where the page says it starts, if it does, and how many they are.
func appendPage[T any](items *[]T, page map[string]json.RawMessage, names []string) (*int, int, error) {
	for _, name := range names {
		raw, ok := page[name]
		if !ok {
			continue
		}

		var more []T
		if err := decode(raw, &more); err != nil {
			return nil, 0, err
		}

		*items = append(*items, more...)

		start, err := numberIn(page, "startAt")

		return start, len(more), err
	}

	return nil, 0, errors.New("the list is missing")
}

// lastPage tells whether nothing comes after the items read so far: by what Jira says, or where it does not say.
func lastPage(page map[string]json.RawMessage, read int) (bool, error) {
	total, err := numberIn(page, "total")
	if err != nil {
		return false, err
	}

	var last bool
	if raw, ok := page["isLast"]; ok {
		if err := decode(raw, &last); err != nil {
			return false, err
		}

		return last, nil
	}

	return total == nil || read >= *total, nil
}

func numberIn(page map[string]json.RawMessage, name string) (*int, error) {
	raw, ok := page[name]
	if !ok {
		return nil, nil
	}

	var number *int
	if err := decode(raw, &number); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	return number, nil
}

// id writes a number as a part of a path.
func id(number int64) string { return strconv.FormatInt(number, 10) }
