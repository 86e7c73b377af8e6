package bolt

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
)

// Command answers statements that are about the server and not about a graph. They take effect at
// once, also within a transaction, and are not rolled back with it.
type Command interface {
	// Is tells whether a statement is of its kind, right or wrong.
	Is(text string) bool
	// Run runs a statement of its kind.
	Run(ctx context.Context, text string, params map[string]value.Value) (Result, error)
}

// command runs a statement that is one of the server's commands. It is none if the result and the
// error are nil.
func (s *session) command(ctx context.Context, text string, params map[string]value.Value) (Result, error) {
	for _, command := range s.server.options.Commands {
		if command.Is(text) {
			return command.Run(ctx, text, params)
		}
	}
	return nil, nil
}

// systemGraph is where Neo4j's clients send commands to. A graph of this name comes first.
const systemGraph = "system"

// commandsOnly is a transaction on no graph.
type commandsOnly struct{}

func (commandsOnly) Run(context.Context, string, map[string]value.Value) (Result, error) {
	return nil, failure(notOnSystem, "there is no graph %q to run this on: only administration statements can be run here", systemGraph)
}

func (commandsOnly) Commit(context.Context) (string, error) { return "", nil }

func (commandsOnly) Rollback() {}

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
