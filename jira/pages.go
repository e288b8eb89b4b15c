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

		if asked := len(items) - count; start != nil && *start != asked {
			return nil, wrongPage(*start, asked)
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

// lastPage tells whether nothing comes after the items read so far, by all that Jira says of it.
func lastPage(page map[string]json.RawMessage, read int) (bool, error) {
	total, err := numberIn(page, "total")
	if err != nil {
		return false, err
	}

	last := true
	if raw, ok := page["isLast"]; ok {
		if err := decode(raw, &last); err != nil {
			return false, err
		}
	}

	return last && (total == nil || read >= *total), nil
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

func wrongPage(given, asked int) error {
	return fmt.Errorf("Jira gave the page from %d where the one from %d was asked for", given, asked) //nolint:staticcheck // a name
}

// id writes a number as a part of a path.
func id(number int64) string { return strconv.FormatInt(number, 10) }
