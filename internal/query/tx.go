package query

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// Tx is a transaction: its statements see the graph as it was when it began, and what they
// have changed; others see that once it has been committed. One goroutine uses it at a time.
type Tx struct {
	ctx     context.Context // of all of it
	engine  *Engine
	graph   string
	access  store.Access
	tx      *store.Tx
	memory  *memory.Account
	changes int64   // bytes of it that the transaction's own changes take
	owns    bool    // the account is its own, and closed with it
	open    *Result // the result that is being read; nil: none
	ran     bool    // a statement has run
	wrote   bool    // one may have changed something
	merged  bool    // one may have created what it did not find
	single  bool    // it ends with its only statement
	failed  error   // a statement has failed: all that is left is Rollback
	schema  []store.SchemaChange
}

// Begin begins a transaction on a graph. The caller commits it or rolls it back.
func (e *Engine) Begin(ctx context.Context, graph string, access store.Access) (*Tx, error) {
	return e.begin(ctx, graph, access)
}

func (e *Engine) begin(ctx context.Context, graph string, access store.Access) (*Tx, error) {
	tx, err := e.db.Begin(ctx, graph, access)
	if err != nil {
		return nil, err
	}
	t := &Tx{ctx: ctx, engine: e, graph: graph, access: access, tx: tx, memory: memory.Of(ctx)}
	if t.memory == nil {
		t.memory, t.owns = e.pool.Open(), true
	}
	return t, nil
}

// countChanges takes what the transaction's own changes have come to take, some KiB at a time.
func (t *Tx) countChanges(ctx context.Context) error {
	const step = 64 << 10
	more := t.tx.ChangedBytes() - t.changes
	if more < step {
		return nil
	}
	err := t.memory.Take(ctx, more)
	if err == nil {
		t.changes += more
	}
	return err
}

// forget gives back all memory that is the transaction's own.
func (t *Tx) forget() {
	t.memory.Give(t.changes)
	if t.changes = 0; t.owns {
		t.memory.Close()
	}
}

// Run runs a statement. A result that is still open is closed.
func (t *Tx) Run(ctx context.Context, text string, parameters map[string]value.Value) (*Result, error) {
	if err := t.settle(); err != nil {
		return nil, err
	}
	s, err := t.engine.prepare(ctx, t.memory, text)
	if err == nil && s.tree.Schema != nil {
		var r *Result
		if r, err = t.runSchema(ctx, s); err == nil {
			return r, nil
		}
	}
	if err == nil && s.access == store.WriteAccess {
		err = t.mayWrite()
	}
	if err == nil && s.folds {
		err = t.folded(ctx)
	}
	if err != nil {
		t.failed = err
		return nil, err
	}
	return t.run(ctx, s, parameters)
}

// mayWrite tells why a statement may not change the graph.
func (t *Tx) mayWrite() error {
	switch {
	case t.access == store.ReadAccess:
		return errReadOnly()
	case len(t.schema) > 0:
		return mixed("the graph cannot be changed in a transaction that has changed indexes or constraints")
	}
	return nil
}

func errReadOnly() error {
	return fault.New(fault.AccessMode, "WriteInReadTransaction", ast.Position{},
		"the transaction only reads: begin one that writes")
}

// folded has the transaction see a snapshot without changes beside it. As long as no statement has
// run, the client cannot tell that it begins anew; later on, changes are a reason to fail.
func (t *Tx) folded(ctx context.Context) error {
	if !t.ran {
		return t.beginFolded(ctx)
	}
	changed, err := t.engine.db.HasChanges(t.graph)
	if err == nil && (changed || t.wrote) {
		err = fault.Met(fault.ProcedureError, "UncommittedChanges",
			"algorithms run on the graph's snapshot, which lacks changes: call them first in a transaction, or in one of their own")
	}
	return err
}

func (t *Tx) beginFolded(ctx context.Context) error {
	t.tx.Rollback()
	if _, err := t.engine.db.Compact(ctx, t.graph); err != nil {
		return asFault(err)
	}
	tx, err := t.engine.db.Begin(t.ctx, t.graph, t.access)
	if err == nil {
		t.tx = tx
	}
	return err
}

// settle ends the result that is open.
func (t *Tx) settle() error {
	if t.open != nil {
		t.open.Close()
	}
	if t.failed != nil {
		return fault.Met(fault.SemanticError, "TransactionFailed",
			"an earlier statement of the transaction has failed: roll it back")
	}
	return nil
}

func (t *Tx) run(ctx context.Context, s *statement, parameters map[string]value.Value) (*Result, error) {
	for name := range s.parameters {
		if _, ok := parameters[name]; !ok {
			return nil, fault.Met(fault.ParameterMissing, "MissingParameter", "no value is given for parameter $%s", name)
		}
	}
	p, err := plan.New(s.tree, t.tx, t.engine.procedures)
	if err != nil {
		return nil, withText(err, s.tree.Text)
	}
	if err := t.memory.Take(ctx, s.bytes); err != nil {
		return nil, asFault(err)
	}
	r := newResult(t, s, p)
	t.ran, t.wrote, t.merged = true, t.wrote || s.access == store.WriteAccess, t.merged || s.merges
	t.open = r
	if s.tree.Mode == ast.Explain {
		r.explained()
		return r, nil
	}
	r.start(ctx, parameters)
	return r, nil
}

// Commit makes the changes durable and visible to others, or none of them.
//
// Errors: *fault.Error of kind Conflict, after which the transaction may be tried again, or of
// ConstraintValidationFailed.
func (t *Tx) Commit(ctx context.Context) error {
	defer t.forget()
	if err := t.settle(); err != nil {
		t.tx.Rollback()
		return err
	}
	return t.commit(ctx)
}

// commit is Commit once no result is open.
//
// A MERGE does not find what another transaction has not committed yet, and creates the same. Where a constraint then
// forbids the second of both, it is not wrong but late: run again, it finds what it did not. A CREATE would be refused
// again.
func (t *Tx) commit(ctx context.Context) error {
	if len(t.schema) > 0 {
		t.tx.Rollback()
		return asFault(t.engine.db.ChangeSchema(ctx, t.graph, t.schema...))
	}
	err := t.tx.Commit(ctx)
	var constraint *store.ConstraintError
	if t.merged && errors.As(err, &constraint) && constraint.Raced {
		f := fault.Met(
			fault.Conflict, "MergeConflict", "%s: another transaction has created it meanwhile; run this one again", err)
		f.Err = err
		return f
	}
	return asFault(err)
}

// Rollback ends the transaction without a trace. After Commit it does nothing.
func (t *Tx) Rollback() {
	defer t.forget()
	if t.open != nil {
		t.open.cancel(nil)
		<-t.open.ended
	}
	t.tx.Rollback()
}

// asFault tells clients what the store refuses.
func asFault(err error) error {
	var conflict *store.ConflictError
	var constraint *store.ConstraintError
	var connected *store.ConnectedError
	var full *store.ChangesFullError
	var pool *memory.FullError
	switch {
	case errors.As(err, &pool) && pool.Never:
		return caused(fault.MemoryLimit, "MemoryLimit", err)
	case errors.As(err, &pool):
		return caused(fault.MemoryPool, "MemoryPool", err)
	case errors.As(err, &conflict):
		return caused(fault.Conflict, "Conflict", err)
	case errors.As(err, &constraint):
		return caused(fault.ConstraintValidationFailed, "ConstraintViolation", err)
	case errors.As(err, &connected):
		return caused(fault.ConstraintVerificationFailed, "DeleteConnectedNode", err)
	case errors.As(err, &full):
		return caused(fault.MemoryLimit, "ChangesFull", err)
	}
	return err
}

func caused(kind fault.Kind, detail string, err error) error {
	f := fault.Met(kind, detail, "%s", err)
	f.Err = err
	return f
}

// withText gives a fault the statement, so that it can show where it is.
func withText(err error, text string) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Text == "" {
		f.Text = text
	}
	return err
}
