package query

import (
	"context"
	"os"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// DefaultMemory is how much a statement may hold at once, unless Options say otherwise.
const DefaultMemory = 1 << 30

// Options of an Engine. The zero value is what most programs want.
type Options struct {
	// Procedures can be called beside those that every engine has.
	Procedures []*procedure.Procedure
	// Functions can be called by expressions beside those that every engine has.
	Functions []*procedure.Function
	// Memory that a statement may hold at once, in bytes; 0: DefaultMemory. Sorting and
	// grouping go on in TempDir then, anything else ends with a fault.
	Memory int64
	// Pool is the memory that all statements share. What is charged to a context's account (see
	// memory.With) is taken from that instead. Nil: there is no bound on all together.
	Pool *memory.Pool
	// TempDir is where statements that need more memory spill; empty: the system's.
	TempDir string
	// Version is what clients are told that this is.
	Version string
}

// Engine runs statements. Its methods may be called from several goroutines.
type Engine struct {
	db         *store.DB
	procedures *procedure.Procedures
	statements *statements
	limits     execute.Limits
	pool       *memory.Pool
	version    string
}

// New is an engine for the graphs of db.
func New(db *store.DB, options Options) *Engine {
	e := &Engine{db: db, statements: newStatements(), version: options.Version, pool: options.Pool,
		limits: execute.Limits{Memory: options.Memory, TempDir: options.TempDir}}
	if e.limits.Memory == 0 {
		e.limits.Memory = DefaultMemory
	}
	if e.limits.TempDir == "" {
		e.limits.TempDir = os.TempDir()
	}
	if e.pool == nil {
		e.pool = memory.Unlimited()
	}
	e.procedures = procedure.New(append(e.builtin(), options.Procedures...)...)
	e.procedures.AddFunctions(options.Functions...)
	return e
}

// Run runs a statement in a transaction of its own, which commits when the result has been
// read to its end or closed. The caller closes the Result.
//
// Errors: *fault.Error, *store.UnknownGraphError.
func (e *Engine) Run(ctx context.Context, graph, text string, parameters map[string]value.Value) (*Result, error) {
	account := memory.Of(ctx)
	if account == nil {
		account = e.pool.Open()
		defer account.Close()
	}
	s, err := e.prepare(ctx, account, text)
	if err != nil {
		return nil, err
	}
	if s.tree.Schema != nil {
		return e.runSchema(ctx, graph, s)
	}
	tx, err := e.begin(ctx, graph, s.access)
	if err == nil && s.folds {
		err = tx.folded(ctx)
	}
	if err != nil {
		return nil, err
	}
	tx.single = true
	result, err := tx.run(ctx, s, parameters)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return result, nil
}
