package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Transactions; see package transaction.
type (
	// Access says what a transaction may do.
	Access = transaction.Access
	// Bound is one end of a range; nil: there is none.
	Bound = transaction.Bound
	// ChangesFullError says that changes take more memory than Options.ChangesBytes allows.
	ChangesFullError = transaction.ChangesFullError
	// ConnectedError says that a node was deleted and its relationships were not.
	ConnectedError = transaction.ConnectedError
	// ConstraintError says what a constraint does not allow.
	ConstraintError = transaction.ConstraintError
	// DeletedError says that a node or relationship is no more.
	DeletedError = transaction.DeletedError
	// Direction says which relationships of a node are meant.
	Direction = transaction.Direction
	// IDError says why a node cannot bear an id in a graph whose nodes have ids of the user's.
	IDError = transaction.IDError
	// LabelError says that no node can have this label.
	LabelError = transaction.LabelError
	// SchemaChange makes or removes an index or a constraint.
	SchemaChange = transaction.SchemaChange
	// SchemaExistsError says that there is such an index or constraint.
	SchemaExistsError = transaction.SchemaExistsError
	// Token stands for the name of a label, a relationship type or a property key in one graph, as long as it is open.
	Token = transaction.Token
	// Tx is a transaction: it sees the graph as the commits before its Begin have left it, and what it has changed
	// itself (snapshot isolation).
	Tx = transaction.Tx
	// UnknownSchemaError says that there is no such index or constraint.
	UnknownSchemaError = transaction.UnknownSchemaError
)

// Transactions; see package transaction.
const (
	Both        = transaction.Both
	In          = transaction.In
	Out         = transaction.Out
	ReadAccess  = transaction.ReadAccess
	WriteAccess = transaction.WriteAccess
)

// Transactions; see package transaction.
var (
	// ErrReadOnly says that a transaction that was begun with ReadAccess is to change something.
	ErrReadOnly = transaction.ErrReadOnly
	// ErrTxDone says that a transaction is used after its Commit or Rollback.
	ErrTxDone = transaction.ErrTxDone
)

// MakeConstraint makes a constraint, if the graph is as it demands.
func MakeConstraint(c manifest.Constraint) SchemaChange { return transaction.MakeConstraint(c) }

// MakeIndex makes an index.
func MakeIndex(index manifest.Index) SchemaChange { return transaction.MakeIndex(index) }

// RemoveConstraint removes a constraint.
func RemoveConstraint(name string) SchemaChange { return transaction.RemoveConstraint(name) }

// RemoveIndex removes an index.
func RemoveIndex(name string) SchemaChange { return transaction.RemoveIndex(name) }

// Begin begins a transaction. Its reads of the graph end with ctx. When changes take half of
// Options.ChangesBytes, it compacts the graph before one that writes.
//
// Errors: *UnknownGraphError, *DamagedError, *ReadOnlyError, and those of Compact.
func (db *DB) Begin(ctx context.Context, graph string, access transaction.Access) (*transaction.Tx, error) {
	if access == transaction.WriteAccess && db.readOnly {
		return nil, &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.Damage()) > 0}
	}
	return db.graphs.Begin(ctx, graph, access)
}
