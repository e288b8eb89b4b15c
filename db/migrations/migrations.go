// Package migrations holds the steps in which the schema came to be, as SQL. A step that has landed is never edited.
//
// Each file is named so that bun runs it in one transaction: <14 digits>_<words>.tx.up.sql. There is no way down: to
// go back is to restore. A step keeps the program of one version before working, for hubs are upgraded in turn.
package migrations

import "embed"

// Files are the steps.
//
//go:embed *.tx.up.sql
var Files embed.FS
