package transactions

import "fmt"

// Error is what is wrong with a command.
type Error struct{ code, message string }

func (e *Error) Error() string { return e.message }

// Code is Neo4j's.
func (e *Error) Code() string { return e.code }

const (
	syntaxError      = "Neo.ClientError.Statement.SyntaxError"
	parameterMissing = "Neo.ClientError.Statement.ParameterMissing"
	typeError        = "Neo.ClientError.Statement.TypeError"
)

func problem(code, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}
