package penstock

import (
	"errors"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// Errors that programs decide by, for errors.Is. The error's text says more.
var (
	// ErrConflict: another transaction or load was first. Nothing was changed; the same may succeed when it is tried
	// again.
	ErrConflict = errors.New("penstock: conflict")
	// ErrUnknownGraph: the database holds no graph of this name.
	ErrUnknownGraph = errors.New("penstock: unknown graph")
	// ErrUnknownVertex: the graph has no vertex of this id.
	ErrUnknownVertex = errors.New("penstock: unknown vertex")
	// ErrGraphExists: there is a graph of this name already.
	ErrGraphExists = errors.New("penstock: the graph exists")
	// ErrLocked: another process has the database open for writing.
	ErrLocked = errors.New("penstock: the database is locked")
	// ErrMissing: there is no database.
	ErrMissing = errors.New("penstock: no database")
	// ErrReadOnly: a database or a transaction that only reads was to be changed.
	ErrReadOnly = errors.New("penstock: read-only")
	// ErrNotEnabled: the owner of the database has not enabled the plugin for it. Nothing was started.
	ErrNotEnabled = errors.New("penstock: plugin not enabled")
	// ErrUnconverged: a model has learned for as long as it may, and has not come as near to the best as it was to. It is
	// kept; LearnRequest.Notice is told.
	ErrUnconverged = errors.New("penstock: not converged")
)

// StatementError is an error in a statement, or one that it met while it ran.
type StatementError struct {
	// Kind is openCypher's: SyntaxError, SemanticError, ParameterMissing, TypeError, ArgumentError, ArithmeticError,
	// EntityNotFound, ConstraintValidationFailed, ProcedureError, MemoryLimit, AccessMode, Conflict, ….
	Kind string
	// Code is what Neo4j's drivers know it by, as in Neo.ClientError.Statement.SyntaxError.
	Code string
	// Line and Column, from 1 on, are where it is in the statement; 0: nowhere in particular.
	Line, Column int
	Err          error
}

// Error is the message; with a place also the line, and a caret below it.
func (e *StatementError) Error() string { return e.Err.Error() }

func (e *StatementError) Unwrap() error { return e.Err }

// A classified error is also one of the errors that programs decide by.
type classified struct {
	error
	class error
}

func (e *classified) Is(target error) bool { return target == e.class }

func (e *classified) Unwrap() error { return e.error }

// public is an error as it leaves this package.
func public(err error) error {
	if err == nil {
		return nil
	}
	class := classOf(err)
	var f *fault.Error
	if errors.As(err, &f) {
		err = &StatementError{Kind: string(f.Kind), Code: f.Code(), Line: f.At.Line, Column: f.At.Column, Err: err}
	}
	if class != nil {
		err = &classified{err, class}
	}
	return err
}

// classOf is the error of this package that says the same; nil: there is none.
func classOf(err error) error {
	var f *fault.Error
	switch {
	case errors.Is(err, store.ErrConflict), errors.As(err, &f) && f.Kind == fault.Conflict:
		return ErrConflict
	case is[*store.UnknownGraphError](err):
		return ErrUnknownGraph
	case is[*store.UnknownVertexError](err):
		return ErrUnknownVertex
	case is[*store.GraphExistsError](err):
		return ErrGraphExists
	case is[*store.LockedError](err):
		return ErrLocked
	case is[*host.NotEnabledError](err):
		return ErrNotEnabled
	case is[*host.UnconvergedError](err):
		return ErrUnconverged
	case is[*store.MissingError](err):
		return ErrMissing
	case is[*store.ReadOnlyError](err), is[*instance.UnfoldedError](err), f != nil && f.Kind == fault.AccessMode:
		return ErrReadOnly
	}
	return nil
}

func is[E error](err error) bool {
	var of E
	return errors.As(err, &of)
}
