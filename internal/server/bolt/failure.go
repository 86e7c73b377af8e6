package bolt

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// Failure is an error as clients get it.
type Failure struct {
	Status  string // Neo4j's code
	Message string
	fatal   bool // the connection is closed afterwards
}

func (f *Failure) Error() string { return f.Message }

// Code is Neo4j's.
func (f *Failure) Code() string { return f.Status }

// Codes of failures that databases and commands have, too.
const (
	UnknownGraph = "Neo.ClientError.Database.DatabaseNotFound"
	Unauthorized = "Neo.ClientError.Security.Unauthorized"
	Forbidden    = "Neo.ClientError.Security.Forbidden"
	Expired      = "Neo.ClientError.Security.CredentialsExpired" // the password must be changed first
)

// Codes of failures that are not the statement's.
const (
	requestInvalid     = "Neo.ClientError.Request.Invalid"
	notOnSystem        = "Neo.ClientError.Statement.NotSystemDatabaseError"
	terminated         = "Neo.ClientError.Transaction.Terminated"
	timedOut           = "Neo.ClientError.Transaction.TransactionTimedOut"
	executionFailed    = "Neo.DatabaseError.Statement.ExecutionFailed"
	outOfMemory        = "Neo.ClientError.General.TransactionOutOfMemoryError"
	poolOutOfMemory    = "Neo.TransientError.General.MemoryPoolOutOfMemoryError" // upon which drivers try again
	tooManyConnections = "Neo.TransientError.Request.NoThreadsAvailable"
	unavailable        = "Neo.TransientError.General.DatabaseUnavailable"
	unknownError       = "Neo.DatabaseError.General.UnknownError"
)

func failure(code, format string, args ...any) *Failure {
	return &Failure{Status: code, Message: fmt.Sprintf(format, args...)}
}

// violation is a request that the protocol does not allow here.
func violation(format string, args ...any) *Failure {
	f := failure(requestInvalid, format, args...)
	f.fatal = true
	return f
}

// Why the context of a session's work is done.
var (
	errReset    = failure(terminated, "the transaction was ended by a RESET")
	errGone     = failure(terminated, "the client is gone")
	errTooSlow  = failure(timedOut, "the rest of a message did not come in time")
	errStopping = failure(unavailable, "the server is stopping: try again later, or another one")
)

// CodeOf is the code by which a client is told of err, which something in the context failed with.
func CodeOf(ctx context.Context, err error) string { return classify(ctx, err).Status }

// classify is err as the client gets it. Once the context is done, the reason for that counts.
func classify(ctx context.Context, err error) *Failure {
	var known *Failure
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &known) {
		return known
	}
	var coded interface{ Code() string }
	var tooLarge *packstream.MemoryError
	var full *memory.FullError
	var malformed *packstream.MalformedError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &coded):
		return &Failure{Status: coded.Code(), Message: err.Error()}
	case errors.As(err, &full) && full.Never:
		return &Failure{Status: outOfMemory, Message: err.Error()}
	case errors.As(err, &full):
		return &Failure{Status: poolOutOfMemory, Message: err.Error()}
	case errors.As(err, &tooLarge), errors.As(err, &malformed):
		return &Failure{Status: requestInvalid, Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Status: timedOut, Message: err.Error()}
	default:
		return &Failure{Status: unknownError, Message: err.Error()}
	}
}
