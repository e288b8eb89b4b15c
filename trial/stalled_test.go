package trial

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	largeFields  = `cursor issue { key description }`
	followLarge  = `subscription ($after: Cursor) { answer: issueChanged(after: $after) { __typename ` + largeFields + ` } }`
	historyLarge = `query ($after: Cursor) { answer: log(after: $after, first: 1000) {
  nodes { __typename ... on IssueChange { ` + largeFields + ` } } pageInfo { hasNextPage endCursor } } }`
)

// TestAReaderThatStalls stops reading before large changes, of which it has asked for so many that neither the system nor
// the hub keeps them for it. The others, who are in one group with it, go on meanwhile, and the hub closes it.
func TestAReaderThatStalls(t *testing.T) {
	const readers, subscriptions, largeChanges, largeText = 5, 40, 10, 30_000

	at := overDatabase(t, startDatabase(t))
	at.serve(t)

	s, err := newSite(t.Context(), at, "stalled", "operator", "agent")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()

	push := pusher{t: t, agent: s.agent}
	push.changes(1, "first")

	w := &wish{name: "issues", operation: followLarge, wants: func(*eventAnswer) bool { return true }}
	known := newHistory([]*wish{w})
	known.query = historyLarge
	known.readAll(t, s.operator)

	ctx, stop := context.WithCancel(t.Context())

	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	var others []*subscriber

	for i := range readers {
		one := newSubscriber(i, w, []string{at.address}, s.operator.token, known.cursors[0])
		others = append(others, one)

		running.Go(func() { one.run(ctx) })
	}

	stalled := connectNarrowly(t, at.address, s.operator.token)
	defer stalled.conn.Close() //nolint:errcheck // the hub has closed it

	for i := range subscriptions {
		if err := stalled.subscribe(strconv.Itoa(i), followLarge, known.cursors[0]); err != nil {
			t.Fatal(err)
		}
	}

	// All have begun, and are together, when each has had this one.
	push.changes(1, "second")
	push.reach(others)

	for range subscriptions {
		if got, err := stalled.next(); err != nil || got.Type != "next" {
			t.Fatalf("got %+v, %v", got, err)
		}
	}

	push.changes(largeChanges, strings.Repeat("x", largeText))
	push.reach(others)

	// That it was closed it can only notice by writing, for it does not read.
	meanwhile := 0

	await(t, "the one that stalled is closed", func() bool {
		push.changes(1, "small")
		push.reach(others)

		meanwhile++

		return stalled.write(frame{Type: "pong"}) != nil
	})

	t.Logf("%d changes reached the others while one reader stalled", meanwhile)

	// Where they waited for it, they would have had the large ones only when it was closed; it notices that with the
	// second of what it writes.
	if meanwhile < 3 {
		t.Error("the others waited until the one that stalled was closed")
	}

	known.readAll(t, s.operator)

	for _, one := range others {
		one.sawAllUncut(t, known)
	}
}

// connectNarrowly opens a websocket for which the system keeps little.
func connectNarrowly(t *testing.T, hub, token string) *line {
	t.Helper()

	l, err := connect(t.Context(), hub, token)
	if err != nil {
		t.Fatal(err)
	}

	socket, ok := l.conn.NetConn().(*net.TCPConn)
	if !ok {
		t.Fatalf("a websocket over %T", l.conn.NetConn())
	}

	if err := socket.SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}

	return l
}

// pusher brings in issues, each of them new.
type pusher struct {
	t      *testing.T
	agent  *caller
	pushed int
}

// changes makes so many of them at once.
func (p *pusher) changes(number int, description string) {
	p.t.Helper()

	var snapshots list

	for range number {
		p.pushed++
		snapshots = append(snapshots, vars{
			"key": fmt.Sprintf("%s-%d", project, p.pushed), "project": project, "issueType": "Task", "summary": "Large",
			"status": "Open", "description": description,
		})
	}

	if err := p.agent.ask(p.t.Context(), pushIssues, vars{"issues": snapshots}, nil); err != nil {
		p.t.Fatal(err)
	}
}

// reach waits until all have read all that was pushed.
func (p *pusher) reach(all []*subscriber) {
	p.t.Helper()

	for _, one := range all {
		await(p.t, "all have read all changes", func() bool { return one.count() >= p.pushed-1 })
	}
}
