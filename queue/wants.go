package queue

import "slices"

// Wants tells whether an event is one that the query asks for, just as the log itself would choose it; After, First
// and NewestFirst are not looked at. Keys are wanted under every name that their issue has or had, which an event
// alone does not show: names are those of the event's Key and MovedFrom, where they have more than that one.
func (q *LogQuery) Wants(event *Event, names ...[]Key) bool {
	switch {
	case len(q.Kinds) > 0 && !slices.Contains(q.Kinds, event.Kind),
		len(q.Kinds) == 0 && (event.Kind == EventBatch || event.Kind == EventAgent),
		q.Actor != "" && q.Actor != event.Actor,
		q.Batch != 0 && q.Batch != event.Batch,
		q.Command != 0 && q.Command != event.Command,
		len(q.Statuses) > 0 && (event.State.Status == "" || !slices.Contains(q.Statuses, event.State.Status)):
		return false
	}

	return len(q.Keys) == 0 || q.names(event.Key) || q.names(event.MovedFrom) ||
		slices.ContainsFunc(names, func(of []Key) bool { return slices.ContainsFunc(of, q.names) })
}

// names tells whether a key is one of those asked for.
func (q *LogQuery) names(key Key) bool { return key != "" && slices.Contains(q.Keys, key) }
