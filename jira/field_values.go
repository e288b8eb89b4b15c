package jira

import "context"

// values takes fields by id or exact name, with the values that people give, to ids and the values that Jira takes.
func (c *Client) values(ctx context.Context, fields map[string]any) (map[string]any, error) {
	known, err := c.known(ctx)
	if err != nil {
		return nil, err
	}

	values := make(map[string]any, len(fields))

	for name, value := range fields {
		field, err := known.Find(name)
		if err != nil {
			return nil, err
		}

		values[field.ID] = c.value(field, value)
	}

	return values, nil
}

// value is a field's value as Jira takes it: a text stands for the user, option, version or issue of that name, key or
// account id. What is no text goes as it is.
func (c *Client) value(field Field, value any) any {
	switch value := value.(type) {
	case string:
		return c.textValue(field, value)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = c.itemValue(field, item)
		}

		return items
	case []string:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = c.itemValue(field, item)
		}

		return items
	default:
		return value
	}
}

func (c *Client) itemValue(field Field, item any) any {
	text, ok := item.(string)
	if !ok {
		return item
	}

	return c.named(field.Items, text)
}

func (c *Client) textValue(field Field, text string) any {
	if c.server.Cloud() && field.rich() {
		if text == "" {
			return nil
		}

		return ToDocument(text)
	}

	value := c.named(field.Type, text)

	// "" clears what is no text itself.
	if _, isText := value.(string); text == "" && !isText {
		return nil
	}

	return value
}

// rich tells whether Cloud keeps the field as a document.
func (f Field) rich() bool {
	return f.ID == "description" || f.ID == "environment" || f.Custom == textAreaSchema
}

// named is the object of that type which a text stands for; the text itself where the type is a text.
func (c *Client) named(kind, text string) any {
	switch kind {
	case "user":
		if c.server.Cloud() {
			return map[string]any{"accountId": text}
		}

		return map[string]any{"name": text}
	case "option", "option-with-child":
		return map[string]any{"value": text}
	case "priority", "resolution", "version", "component", "group", "issuetype", "securitylevel", "status":
		return map[string]any{"name": text}
	case "project", "issuelink":
		return map[string]any{"key": text}
	default:
		return text
	}
}
