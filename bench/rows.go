package main

import (
	"context"
	"fmt"
	"io"
)

// bench is what the rows share.
type bench struct {
	*options

	pg *postgres
	// program is what startHub runs.
	program *program
	// quiet waits until nothing goes on that would be measured with what comes next.
	quiet func(ctx context.Context) error
	out   io.Writer
}

// say tells whoever waits how far the bench has come.
func (b *bench) sayf(format string, args ...any) { _, _ = fmt.Fprintf(b.out, format+"\n", args...) }

// row is one kind of work, measured.
type row struct {
	name, does string
	measure    func(ctx context.Context, b *bench) ([]figure, error)
}

// rows are in the order of docs/performance.md.
func rows() []row {
	return []row{
		{"one-site", "claim and report, one agent, one site, the database's part", measureOneSite},
		{"http", "the same over HTTP and GraphQL", measureHTTP},
		{"many-sites", "the same, 20 sites at once", measureManySites},
		{"grown", "the same with many commands queued, and after many were worked off", measureGrown},
		{"snapshot", "the same while another connection holds an old snapshot", measureSnapshot},
		{"create", "createBatch of 10,000 commands with 1,000 temporary keys", measureCreate},
		{"cancel", "cancel of an ensure_issue with 9,999 dependents", measureCancel},
		{"refresh", "a refresh of 10,000 issues into a large mirror", measureRefresh},
		{"subscribers", "one change to many subscribers of the same operation", measureSubscribers},
		{"idle", "memory of a subscriber to whom nothing happens", measureIdle},
		{"two-hubs", "a change in one hub to a subscriber of another", measureTwoHubs},
		{"returning", "database queries of many readers who return at once", measureReturning},
	}
}

func rowNames() []string {
	var names []string
	for _, row := range rows() {
		names = append(names, row.name)
	}

	return names
}
