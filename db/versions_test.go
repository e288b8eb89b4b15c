package db

import (
	"strings"
	"testing"
)

// Of site_states and batch_counts nothing but the newest version is alive, and the dead ones may be very many, such as
// under an old snapshot. The planner must still see that the index is read from its end.
func TestTheNewestVersionIsFoundAtOnceHoweverManyDeadOnesThereAre(t *testing.T) {
	t.Parallel()

	d := migrated(t)

	// With two sites whose rows lie in the order of the index or against it, there is a correlation.
	for _, order := range []string{"ASC", "DESC"} {
		for _, statement := range []string{
			`DELETE FROM site_states`, `DELETE FROM batch_counts`, `DELETE FROM sites`,
			`ALTER TABLE site_states SET (autovacuum_enabled = false)`, `ALTER TABLE batch_counts SET (autovacuum_enabled = false)`,
			`INSERT INTO sites (id, name, log_mark, pace) OVERRIDING SYSTEM VALUE VALUES (1, 'one', 0, '{}'), (2, 'two', 0, '{}')`,
			`DO $$
			DECLARE site bigint;
			BEGIN
				FOR site IN SELECT id FROM sites ORDER BY id ` + order + ` LOOP
					INSERT INTO site_states (site_id, version, head_mark) VALUES (site, 1, 0);
					INSERT INTO batch_counts (site_id, batch_id, version, counts) VALUES (site, site, 1, '{0,0,0,0,0,0,0}');
					FOR n IN 1..20000 LOOP
						UPDATE site_states SET version = n + 1 WHERE site_id = site AND version = n;
						UPDATE batch_counts SET version = n + 1 WHERE site_id = site AND batch_id = site AND version = n;
					END LOOP;
				END LOOP;
			END
			$$`,
			`ANALYZE site_states, batch_counts`,
		} {
			if _, err := d.pool.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}

		for name, statement := range map[string]string{
			"the site": `SELECT st.version` + fromSite + ` WHERE s.id = 1`,
			"a batch":  `SELECT bc.version FROM (SELECT 1 AS batch_id) c` + strings.ReplaceAll(latestCounts, "$1", "1"),
		} {
			tx, err := d.pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}

			if pages := explained(t, tx, statement); pages > 20 {
				t.Errorf("rows written in %sending order: %s was found through %d pages", order, name, pages)
			}

			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
