package db

import (
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// columnPlan is how a column is read into a target of one type.
type columnPlan struct {
	pgtype.ScanPlan

	oid uint32
}

// rowPlans are the plans of a connection's statements. pgx makes them anew each time a statement is executed, which for
// the wide rows of a claim costs as much as reading them.
type rowPlans map[string][]columnPlan

// rowPlansName is where a connection has its plans.
const rowPlansName = "sdlc-hub row plans"

func rowPlansOf(conn *pgx.Conn) rowPlans {
	data := conn.PgConn().CustomData()

	plans, known := data[rowPlansName].(rowPlans)
	if !known {
		plans = rowPlans{}
		data[rowPlansName] = plans
	}

	return plans
}

// scanRow reads the present row of a statement into targets, whose types are the same each time; columns beyond them
// are left. The connection is the caller's alone.
func scanRow(conn *pgx.Conn, sql string, rows pgx.Rows, targets []any) error {
	columns, values, known := rows.FieldDescriptions(), rows.RawValues(), rowPlansOf(conn)

	plans := known[sql]
	if len(plans) != len(columns) {
		plans = make([]columnPlan, len(columns))
		known[sql] = plans
	}

	for i, target := range targets {
		column := &columns[i]

		if plans[i].ScanPlan == nil || plans[i].oid != column.DataTypeOID {
			plans[i] = columnPlan{conn.TypeMap().PlanScan(column.DataTypeOID, column.Format, target), column.DataTypeOID}
		}

		if err := plans[i].Scan(values[i], target); err != nil {
			return fmt.Errorf("column %s: %w", column.Name, err)
		}
	}

	return nil
}
