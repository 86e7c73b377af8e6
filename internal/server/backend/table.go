package backend

import "github.com/penstock-db/penstock/formats/value"

// Table is the result of a command: all its rows at once.
type Table struct {
	Names []string
	Rows  [][]value.Value
	Kind  string // as of a Summary
	at    int
}

// Columns are the names.
func (t *Table) Columns() []string { return t.Names }

// Next goes on to the next row.
func (t *Table) Next() bool {
	t.at++
	return t.at <= len(t.Rows)
}

// Row is the current one.
func (t *Table) Row() []value.Value { return t.Rows[t.at-1] }

// Err is nil.
func (t *Table) Err() error { return nil }

// Close does nothing.
func (t *Table) Close() error { return nil }

// Summary tells the kind.
func (t *Table) Summary() Summary { return Summary{Type: t.Kind} }
