package session

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/transaction"
)

// Service is what all sessions of a server share.
type Service struct {
	Engine      *transaction.Engine
	Connections *connection.Registry
	Auth        backend.Authenticator        // nil: clients need no name
	Home        func(context.Context) string // the graph of requests that name none
	Agent       string                       // what the server says it is
	Limits      Limits
	Pool        *memory.Pool
	Messages    *memory.Share // of all sessions
	Log         *slog.Logger
	Leaked      atomic.Int64 // bytes that sessions have not given back by themselves
}

// Limits of a session.
type Limits struct {
	Message   int // bytes, of a message
	Memory    int // bytes: of requests that wait, of a request's values, of a row
	Idle      time.Duration
	Login     time.Duration
	KeepAlive time.Duration
}
