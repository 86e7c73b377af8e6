// Package fault is what can be wrong with a statement or its data, as clients are told.
package fault

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// Kind of a fault, by the names that openCypher's TCK has for them.
type Kind string

// The kinds, and the codes by which Neo4j's drivers know them.
const (
	SyntaxError                  Kind = "SyntaxError"
	SemanticError                Kind = "SemanticError"
	ParameterMissing             Kind = "ParameterMissing"
	TypeError                    Kind = "TypeError"
	ArgumentError                Kind = "ArgumentError"
	ArithmeticError              Kind = "ArithmeticError"
	EntityNotFound               Kind = "EntityNotFound"
	PropertyNotFound             Kind = "PropertyNotFound"
	LabelNotFound                Kind = "LabelNotFound"
	ConstraintValidationFailed   Kind = "ConstraintValidationFailed"
	ConstraintVerificationFailed Kind = "ConstraintVerificationFailed"
	ProcedureError               Kind = "ProcedureError"
	MemoryLimit                  Kind = "MemoryLimit" // of the statement
	MemoryPool                   Kind = "MemoryPool"  // of all statements together: try again
	TimeLimit                    Kind = "TimeLimit"
	AccessMode                   Kind = "AccessMode" // it writes where one may only read
	Conflict                     Kind = "Conflict"   // another transaction was first: try again
	// it has changed the schema, and is to change the graph, or the other way round
	TransactionType Kind = "TransactionType"
)

var codes = map[Kind]string{
	SyntaxError:                  "Neo.ClientError.Statement.SyntaxError",
	SemanticError:                "Neo.ClientError.Statement.SemanticError",
	ParameterMissing:             "Neo.ClientError.Statement.ParameterMissing",
	TypeError:                    "Neo.ClientError.Statement.TypeError",
	ArgumentError:                "Neo.ClientError.Statement.ArgumentError",
	ArithmeticError:              "Neo.ClientError.Statement.ArithmeticError",
	EntityNotFound:               "Neo.ClientError.Statement.EntityNotFound",
	PropertyNotFound:             "Neo.ClientError.Statement.PropertyNotFound",
	LabelNotFound:                "Neo.ClientError.Statement.LabelNotFound",
	ConstraintValidationFailed:   "Neo.ClientError.Schema.ConstraintValidationFailed",
	ConstraintVerificationFailed: "Neo.ClientError.Schema.ConstraintValidationFailed",
	ProcedureError:               "Neo.ClientError.Procedure.ProcedureCallFailed",
	MemoryLimit:                  "Neo.ClientError.General.TransactionOutOfMemoryError",
	MemoryPool:                   "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
	TimeLimit:                    "Neo.ClientError.Transaction.TransactionTimedOut",
	AccessMode:                   "Neo.ClientError.Statement.AccessMode",
	Conflict:                     "Neo.TransientError.Transaction.Outdated",
	TransactionType:              "Neo.ClientError.Transaction.ForbiddenDueToTransactionType",
}

// Error is a fault in a statement, or met while it runs.
type Error struct {
	Kind    Kind
	Detail  string       // which one, by openCypher's TCK: "UndefinedVariable"
	Message string       // what, and what to do
	At      ast.Position // in Text; zero: nowhere in particular
	Text    string       // the statement; empty: not known yet
	Runtime bool         // met while it ran
	Err     error        // what caused it; may be nil
}

// New is a fault at a place of the statement, found before it runs.
func New(kind Kind, detail string, at ast.Position, format string, args ...any) *Error {
	return &Error{Kind: kind, Detail: detail, At: at, Message: fmt.Sprintf(format, args...)}
}

// Met is a fault met while a statement runs.
func Met(kind Kind, detail, format string, args ...any) *Error {
	return &Error{Kind: kind, Detail: detail, Message: fmt.Sprintf(format, args...), Runtime: true}
}

// Code is Neo4j's.
func (e *Error) Code() string { return codes[e.Kind] }

func (e *Error) Unwrap() error { return e.Err }

// Error is the message; with a place in the text also the line, and a caret below it.
func (e *Error) Error() string {
	if e.At.Line == 0 {
		return e.Message
	}
	where := fmt.Sprintf("%s (line %d, column %d)", e.Message, e.At.Line, e.At.Column)
	lines := strings.Split(e.Text, "\n")
	if e.Text == "" || e.At.Line > len(lines) {
		return where
	}
	line := strings.TrimRight(lines[e.At.Line-1], "\r")
	return where + "\n" + excerpt(line, e.At.Column)
}

// excerpt is the line, or what is around the column of a long one, with a caret below.
func excerpt(line string, column int) string {
	const before, most = 60, 100
	runes := []rune(line)
	from := max(0, min(column-1, len(runes))-before)
	to := min(len(runes), from+most)
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(runes[from:max(from, min(column-1, to))]))
	return string(runes[from:to]) + "\n" + pad + "^"
}
