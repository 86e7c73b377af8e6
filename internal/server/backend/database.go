package backend

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
)

// Access is what a transaction may do.
type Access uint8

// Kinds of access.
const (
	Write Access = iota
	Read
)

// Database is what a server serves. Its errors go to clients: those with a method Code() string,
// as *fault.Error has, by Neo4j's code, by which drivers know what to try again.
type Database interface {
	// Begin begins a transaction on a graph; the empty name is that of the graph to use when
	// a client names none. The context is that of the whole transaction: what runs in it ends
	// when it is done. Transactions see all commits before them, so any bookmark is waited for.
	Begin(ctx context.Context, graph string, access Access) (Transaction, error)
	// Run runs a statement as a transaction of its own, which is committed when the result has
	// no more rows or is closed, and rolled back when it fails or its context is done before.
	Run(ctx context.Context, graph string, access Access, text string, params map[string]value.Value) (Result, error)
}

// Transaction is used by one goroutine.
type Transaction interface {
	// Run starts a statement. Results of earlier ones were read to their ends.
	Run(ctx context.Context, text string, params map[string]value.Value) (Result, error)
	// Commit makes the changes last. The bookmark names them; it may be empty.
	Commit(ctx context.Context) (bookmark string, err error)
	// Rollback gives everything up, also what a Result holds. After Commit it does nothing.
	Rollback()
}

// Result is the rows of a statement, one after the other.
type Result interface {
	Columns() []string
	// Next makes the next row ready, or tells that there is none, or that it failed: see Err.
	Next() bool
	// Row is valid until Next; nodes and relationships are whole.
	Row() []value.Value
	Err() error
	// Close makes all the changes that the statement is to make, though its rows were not
	// read to the end. That is no failure.
	Close() error
	// Summary is asked for when the result is closed.
	Summary() Summary
}
