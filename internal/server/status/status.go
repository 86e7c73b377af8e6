// Package status names what went wrong by Neo4j's status codes, by which drivers know what to try again: errors of
// class TransientError, but none of class ClientError or DatabaseError.
//
// Of maps any error to its code. An error with a method Code() string, as *fault.Error has, brings its own.
package status

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/internal/memory"
)

// Error is an error as clients get it.
type Error struct {
	Status  string // Neo4j's code
	Message string
	Fatal   bool // the server closes the connection after it
}

func (e *Error) Error() string { return e.Message }

// Code is Neo4j's.
func (e *Error) Code() string { return e.Status }

// The codes.
const (
	UnknownGraph       = "Neo.ClientError.Database.DatabaseNotFound"
	Unauthorized       = "Neo.ClientError.Security.Unauthorized"
	Forbidden          = "Neo.ClientError.Security.Forbidden"
	Expired            = "Neo.ClientError.Security.CredentialsExpired" // the password must be changed first
	RequestInvalid     = "Neo.ClientError.Request.Invalid"
	NotOnSystem        = "Neo.ClientError.Statement.NotSystemDatabaseError"
	Terminated         = "Neo.ClientError.Transaction.Terminated"
	TimedOut           = "Neo.ClientError.Transaction.TransactionTimedOut"
	ExecutionFailed    = "Neo.DatabaseError.Statement.ExecutionFailed"
	OutOfMemory        = "Neo.ClientError.General.TransactionOutOfMemoryError"
	PoolOutOfMemory    = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
	TooManyConnections = "Neo.TransientError.Request.NoThreadsAvailable"
	Unavailable        = "Neo.TransientError.General.DatabaseUnavailable"
	Unknown            = "Neo.DatabaseError.General.UnknownError"
)

// Errorf makes an error with a code.
func Errorf(code, format string, args ...any) *Error {
	return &Error{Status: code, Message: fmt.Sprintf(format, args...)}
}

// Violation is a request that the protocol does not allow here. It is fatal.
func Violation(format string, args ...any) *Error {
	e := Errorf(RequestInvalid, format, args...)
	e.Fatal = true
	return e
}

// CodeOf is the code of err, which an operation in the context failed with.
func CodeOf(ctx context.Context, err error) string { return Of(ctx, err).Status }

// Of is err as the client gets it. Once the context is done, the reason for that counts.
func Of(ctx context.Context, err error) *Error {
	var known *Error
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &known) {
		return known
	}
	var coded interface{ Code() string }
	var full *memory.FullError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &coded):
		return &Error{Status: coded.Code(), Message: err.Error()}
	case errors.As(err, &full) && full.Never:
		return &Error{Status: OutOfMemory, Message: err.Error()}
	case errors.As(err, &full):
		return &Error{Status: PoolOutOfMemory, Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Status: TimedOut, Message: err.Error()}
	default:
		return &Error{Status: Unknown, Message: err.Error()}
	}
}

// Refusal is the error by which a client is told that its login failed; nil: it did not. It is fatal.
func Refusal(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var coded interface{ Code() string }
	if ctx.Err() != nil || errors.As(err, &coded) {
		f := *Of(ctx, err)
		f.Fatal = true
		return &f
	}
	return &Error{Status: Unauthorized, Message: err.Error(), Fatal: true}
}
