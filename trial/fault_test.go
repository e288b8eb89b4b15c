package trial

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
)

// target is what a fault kills.
type target string

const (
	theHub      target = "hub"
	thePostgres target = "Postgres"
	both        target = "both"
)

// fault is one kill -9.
type fault struct {
	target target
	// verb is the one whose answer is lost: the kill comes after its commit and before its answer. "" kills at random.
	verb string
	// pass lets the answer through after all, where there still is one: what was answered must outlive the kill.
	pass bool
	// after is how many answers the kill waits for; of a kill after a commit, the trap.
	after int
}

func (f fault) String() string {
	switch {
	case f.verb == "":
		return fmt.Sprintf("kill -9 of %s at random", f.target)
	case f.pass:
		return fmt.Sprintf("kill -9 of %s after the commit of %s, then its answer", f.target, f.verb)
	default:
		return fmt.Sprintf("kill -9 of %s after the commit of %s, no answer", f.target, f.verb)
	}
}

// trapped are the verbs in whose midst a kill comes.
func trapped() []string {
	return []string{"createBatch", "claim", "report", "cancelCommands", "retryCommands"}
}

// plan is a round of twenty: half of them the hub, half Postgres, and half of each after the commit and before the
// answer, once a verb. And one more that kills both.
func plan(r *rand.Rand) []fault {
	const round = 21

	faults := append(make([]fault, 0, round), fault{target: both, after: 10 + r.IntN(60)})

	for i, verb := range trapped() {
		for _, target := range []target{theHub, thePostgres} {
			faults = append(faults,
				fault{target: target, after: 10 + r.IntN(60)},
				// A killed hub answers nothing. One whose Postgres was killed may still answer for what was committed.
				fault{target: target, verb: verb, pass: target == thePostgres && i%2 == 0, after: 10 + r.IntN(30)})
		}
	}

	r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })

	return faults
}

// mark is a number in the database that grows with the commit of one call, and with nothing else meanwhile.
type mark struct {
	sql  string
	args []any
}

func (m mark) read(ctx context.Context, conn *pgx.Conn) (int64, error) {
	var n int64
	if err := conn.QueryRow(ctx, m.sql, m.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("look for the commit: %w", err)
	}

	return n, nil
}

// batchMark grows when a batch with that client key is made.
func batchMark(author, clientKey string) mark {
	return mark{sql: `SELECT count(*) FROM batches WHERE author = $1 AND client_key = $2`, args: []any{author, clientKey}}
}

// eventMark grows when these commands change for that cause.
func eventMark(cause string, ids list) mark {
	texts := make([]string, 0, len(ids))
	for _, id := range ids {
		texts = append(texts, fmt.Sprint(id))
	}

	return mark{
		sql:  `SELECT count(*) FROM events WHERE cause = $1 AND command_id::text = ANY ($2)`,
		args: []any{cause, texts},
	}
}

// handoutMark grows when a command of the site is handed out.
func handoutMark(site string) mark {
	return mark{
		sql:  `SELECT count(*) FROM events WHERE cause IN ('claimed', 'redelivered') AND site_id = (SELECT id FROM sites WHERE name = $1)`,
		args: []any{site},
	}
}
