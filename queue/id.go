package queue

import "strconv"

// SiteID names one site: one Jira with its queue, mirror, notes and event log.
type SiteID int64

// CommandID names a command; ids grow in the order in which commands were committed to a site.
type CommandID int64

// BatchID names a batch.
type BatchID int64

// String is the id as clients see it.
func (id CommandID) String() string { return strconv.FormatInt(int64(id), 10) }

// String is the id as clients see it.
func (id BatchID) String() string { return strconv.FormatInt(int64(id), 10) }

// ParseCommandID reads a client's id; what is none names nothing, so the answer is NOT_FOUND.
func ParseCommandID(s string) (CommandID, error) {
	n, ok := parseID(s)
	if !ok {
		return 0, Refusef(NotFound, "no command %.40q", s)
	}

	return CommandID(n), nil
}

// ParseBatchID reads a client's id; what is none names nothing, so the answer is NOT_FOUND.
func ParseBatchID(s string) (BatchID, error) {
	n, ok := parseID(s)
	if !ok {
		return 0, Refusef(NotFound, "no batch %.40q", s)
	}

	return BatchID(n), nil
}

// parseID takes the one spelling that String gives, so that an id is never known under two.
func parseID(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)

	return n, err == nil && n > 0 && strconv.FormatInt(n, 10) == s
}
