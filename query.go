package penstock

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/store"
)

// Query runs an openCypher statement in a transaction of its own, which commits when the rows end. The caller reads the
// rows and closes them; a statement that changes the graph is carried out to its end, however many are read.
//
// Parameters are nil, bool, integers, floats, string, []any, map[string]any, slices and maps of these, time.Time, and
// the types Date, LocalTime, OffsetTime, LocalDateTime, Duration and Point.
//
// Errors: *StatementError, ErrUnknownGraph; of writing statements, in Rows.Err and Rows.Close, ErrConflict.
func (db *DB) Query(ctx context.Context, graph, statement string, parameters map[string]any) (*Rows, error) {
	values, err := parametersOf(parameters)
	if err != nil {
		return nil, public(err)
	}
	return rowsOf(db.inner.Query(ctx, graph, statement, values))
}

// Rows are the rows of a statement, which runs while they are read. One goroutine reads them.
type Rows struct{ inner *query.Result }

func rowsOf(inner *query.Result, err error) (*Rows, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Rows{inner}, nil
}

// Columns are the names of the columns.
func (r *Rows) Columns() []string { return r.inner.Columns() }

// Next moves to the next row. At the end, or when the statement fails, it is false.
func (r *Rows) Next() bool { return r.inner.Next() }

// Values is the current row, a value for each column. A value is nil, bool, int64, float64, string, []any,
// map[string]any, Node, Relationship, Path, Date, LocalTime, OffsetTime, LocalDateTime, time.Time, Duration or Point.
func (r *Rows) Values() []any { return anysOf(r.inner.Row()) }

// Err is what went wrong, once Next is false.
func (r *Rows) Err() error { return public(r.inner.Err()) }

// Close ends the reading. It returns the error that Err does; rows that are left are no error.
func (r *Rows) Close() error { return public(r.inner.Close()) }

// Summary is what a statement has changed, and how.
type Summary struct {
	NodesCreated, NodesDeleted                 int64
	RelationshipsCreated, RelationshipsDeleted int64
	PropertiesSet                              int64
	LabelsAdded, LabelsRemoved                 int64
	Schema                                     bool          // indexes or constraints have changed
	Plan                                       string        // of EXPLAIN and PROFILE
	Took                                       time.Duration // until the last row
}

// Summary is what the statement has done, once Next is false.
func (r *Rows) Summary() Summary {
	s := r.inner.Summary()
	c := s.Counters
	return Summary{
		NodesCreated: c.NodesCreated, NodesDeleted: c.NodesDeleted,
		RelationshipsCreated: c.RelationshipsCreated, RelationshipsDeleted: c.RelationshipsDeleted,
		PropertiesSet: c.PropertiesSet, LabelsAdded: c.LabelsAdded, LabelsRemoved: c.LabelsRemoved,
		Schema: s.Schema, Plan: s.Plan, Took: s.Took,
	}
}

// Tx is a transaction: its statements see the graph as it was when it began, and what they have changed. Others see
// that once it is committed. One goroutine uses it at a time.
type Tx struct{ inner *query.Tx }

// Begin begins a transaction on a graph, which ends with Commit or Rollback. One that is not writable only reads.
func (db *DB) Begin(ctx context.Context, graph string, writable bool) (*Tx, error) {
	access := store.ReadAccess
	if writable {
		access = store.WriteAccess
	}
	inner, err := db.inner.Begin(ctx, graph, access)
	if err != nil {
		return nil, public(err)
	}
	return &Tx{inner}, nil
}

// Query runs a statement, as DB.Query does. Rows that are still open are closed.
func (t *Tx) Query(ctx context.Context, statement string, parameters map[string]any) (*Rows, error) {
	values, err := parametersOf(parameters)
	if err != nil {
		return nil, public(err)
	}
	return rowsOf(t.inner.Run(ctx, statement, values))
}

// Commit makes the changes durable and visible to others, or none of them.
//
// Errors: ErrConflict, after which the transaction may be tried again; *StatementError.
func (t *Tx) Commit(ctx context.Context) error { return public(t.inner.Commit(ctx)) }

// Rollback ends the transaction without a trace. After Commit it does nothing.
func (t *Tx) Rollback() { t.inner.Rollback() }
