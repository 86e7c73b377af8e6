package bolt

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/server/transactions"
)

// A command is a statement about the server itself. It needs no graph, and runs also within a
// transaction, of which it is no part.
//
// command runs one; nil without an error: the statement is no such command.
type command func(s *session, statement string, params map[string]value.Value) (Result, error)

var commands = []command{(*session).transactionCommand}

// administer runs a statement about the server; nil without an error: it is about a graph.
func (s *session) administer(statement string, params map[string]value.Value) (Result, error) {
	for _, run := range commands {
		if result, err := run(s, statement, params); result != nil || err != nil {
			return result, err
		}
	}
	return nil, nil
}

// transactionCommand shows or terminates transactions: one's own, or for administrators all.
func (s *session) transactionCommand(statement string, params map[string]value.Value) (Result, error) {
	c, err := transactions.Parse(statement)
	if c == nil || err != nil {
		return nil, err
	}
	viewer := transactions.Viewer{User: s.user, All: s.server.options.sees(s.user)}
	reason := failure(terminated, "the transaction was terminated by %s", orElse(s.user, s.conn.RemoteAddr().String()))
	rows, err := c.Run(s.server.transactions, viewer, params, reason)
	if err != nil {
		return nil, err
	}
	return &table{columns: c.Columns(), rows: rows}, nil
}

// table is a Result that is there already.
type table struct {
	columns []string
	rows    [][]value.Value
	row     []value.Value
}

func (t *table) Columns() []string  { return t.columns }
func (t *table) Row() []value.Value { return t.row }
func (t *table) Err() error         { return nil }
func (t *table) Close() error       { return nil }
func (t *table) Summary() Summary   { return Summary{Type: "r"} }

func (t *table) Next() bool {
	if len(t.rows) == 0 {
		return false
	}
	t.row, t.rows = t.rows[0], t.rows[1:]
	return true
}
