package jira

// links reads an issue's links: the end that Jira names is the other one, so an outwardIssue makes this the source.
func links(value any) []Link {
	entries, _ := value.([]any)

	var links []Link

	for _, entry := range entries {
		object, ok := entry.(map[string]any)
		if !ok {
			continue
		}

		link := Link{
			ID:          text(object, "id"),
			Type:        text(object, "type", "name"),
			OutwardName: text(object, "type", "outward"),
			InwardName:  text(object, "type", "inward"),
			Direction:   Outward,
			Key:         text(object, "outwardIssue", "key"),
		}

		if link.Key == "" {
			link.Direction = Inward
			link.Key = text(object, "inwardIssue", "key")
		}

		if link.Key != "" {
			links = append(links, link)
		}
	}

	return links
}
