package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// explainer watches the statements of a hub. While it is told a verb it runs each batch of them first itself, under
// EXPLAIN with the same parameters on a connection of its own, and takes it back: the hub's own run then finds the
// same state.
type explainer struct {
	mu sync.Mutex
	// verb is what goes on, "" for nothing to explain.
	verb    string
	touched []touch
	// seen are all statements that were sent.
	seen map[string]bool
	// conn plans as the hub's connections do; it is opened when it is needed. prepared names its statements.
	conn     *pgx.Conn
	prepared map[string]string
	err      error
}

// touch is what one statement of a verb touched.
type touch struct {
	verb, sql string
	buffers   int
}

var (
	_ pgx.QueryTracer = (*explainer)(nil)
	_ pgx.BatchTracer = (*explainer)(nil)
)

func newExplainer() *explainer {
	return &explainer{prepared: map[string]string{}, seen: map[string]bool{}}
}

// connect opens the connection, set as the hub's own.
func (e *explainer) connect(ctx context.Context, hubs *pgx.Conn) error {
	config := hubs.Config()
	config.Tracer = nil

	var err error
	e.conn, err = pgx.ConnectConfig(ctx, config)

	return wrap("connect to explain", err)
}

func (e *explainer) close() {
	if e.conn != nil {
		_ = e.conn.Close(context.Background()) // it changed nothing
	}
}

// during has the statements of a verb explained.
func (e *explainer) during(verb string, do func() error) error {
	e.tell(verb)
	err := do()
	e.tell("")

	e.mu.Lock()
	defer e.mu.Unlock()

	return errors.Join(err, e.err)
}

func (e *explainer) tell(verb string) {
	e.mu.Lock()
	defer e.mu.Unlock()

	e.verb = verb
}

// TraceBatchStart explains the batch before it is sent.
func (e *explainer) TraceBatchStart(ctx context.Context, hubs *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	e.mu.Lock()
	defer e.mu.Unlock()

	for _, query := range data.Batch.QueuedQueries {
		e.seen[query.SQL] = true
	}

	if e.verb != "" && e.err == nil {
		if e.conn == nil {
			e.err = e.connect(ctx, hubs)
		}

		if e.err == nil {
			e.touched, e.err = e.explainTwice(ctx, data.Batch.QueuedQueries)
		}
	}

	return ctx
}

// TraceBatchQuery has nothing to do.
func (e *explainer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd has nothing to do.
func (e *explainer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceQueryStart notes the statement.
func (e *explainer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	e.mu.Lock()
	defer e.mu.Unlock()

	e.seen[data.SQL] = true

	return ctx
}

// TraceQueryEnd has nothing to do.
func (e *explainer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// explainTwice counts the second time: in the first one a new connection also reads Postgres' catalogues, which one that
// has worked a while does not.
func (e *explainer) explainTwice(ctx context.Context, queries []*pgx.QueuedQuery) ([]touch, error) {
	if _, err := e.explainBatch(ctx, queries); err != nil {
		return e.touched, err
	}

	touched, err := e.explainBatch(ctx, queries)

	return append(e.touched, touched...), err
}

// explainBatch runs the statements and takes them back.
func (e *explainer) explainBatch(ctx context.Context, queries []*pgx.QueuedQuery) ([]touch, error) {
	tx, err := e.conn.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}

	var touched []touch

	for _, query := range queries {
		if query.SQL == "BEGIN" || query.SQL == "COMMIT" {
			continue
		}

		buffers, err := e.explain(ctx, query.SQL, query.Arguments)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("explain %s: %w", query.SQL, err), tx.Rollback(ctx))
		}

		touched = append(touched, touch{verb: e.verb, sql: query.SQL, buffers: buffers})
	}

	return touched, wrap("take back", tx.Rollback(ctx))
}

// explain runs one statement as the hub does, prepared and with its generic plan, and counts the buffers.
func (e *explainer) explain(ctx context.Context, sql string, args []any) (int, error) {
	name := e.prepared[sql]
	if name == "" {
		name = fmt.Sprintf("explained_%d", len(e.prepared))
		e.prepared[sql] = name
	}

	described, err := e.conn.Prepare(ctx, name, sql)
	if err != nil {
		return 0, fmt.Errorf("prepare: %w", err)
	}

	values := make([]string, len(args))
	for i, arg := range args {
		if values[i], err = e.literal(described.ParamOIDs[i], arg); err != nil {
			return 0, err
		}
	}

	execute := "EXECUTE " + name
	if len(values) > 0 {
		execute += "(" + strings.Join(values, ", ") + ")"
	}

	var raw []byte

	// Over the simple protocol: each text comes once.
	err = e.conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+execute, pgx.QueryExecModeSimpleProtocol).Scan(&raw)
	if err != nil {
		return 0, fmt.Errorf("explain: %w", err)
	}

	return buffersOf(raw)
}

// literal writes a parameter as SQL has it.
func (e *explainer) literal(oid uint32, arg any) (string, error) {
	text, err := e.conn.TypeMap().Encode(oid, pgx.TextFormatCode, arg, []byte{})
	if err != nil {
		return "", fmt.Errorf("write parameter %v: %w", arg, err)
	}

	if text == nil {
		return "NULL", nil
	}

	return "'" + strings.ReplaceAll(string(text), "'", "''") + "'", nil
}

// buffersOf is how many buffers a plan touched while it ran, found in memory or not.
func buffersOf(explained []byte) (int, error) {
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`  //nolint:tagliatelle // Postgres' own names
			Read int `json:"Shared Read Blocks"` //nolint:tagliatelle // likewise
		} `json:"Plan"` //nolint:tagliatelle // likewise
	}

	if err := json.Unmarshal(explained, &plans); err != nil {
		return 0, fmt.Errorf("read the plan: %w", err)
	}

	if len(plans) != 1 {
		return 0, fmt.Errorf("%d plans instead of one", len(plans))
	}

	return plans[0].Plan.Hit + plans[0].Plan.Read, nil
}
