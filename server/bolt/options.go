package bolt

import (
	"context"
	"log/slog"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
)

// Authenticator says who may come in.
type Authenticator interface {
	// Authenticate fails when the credentials do not let the client in. Schemes are "none" and
	// "basic", and whatever else a client may try.
	Authenticate(ctx context.Context, scheme, user, password string) error
}

// Options of a server. What is zero has a default.
type Options struct {
	Graph  string        // that clients get who name none
	Auth   Authenticator // nil: everybody is let in
	Agent  string        // what the server says it is
	Limits Limits
	// Memory is what requests, statements and answers take from, beyond memory.Allowance for each;
	// of it, messages take half at the most. Statements run in contexts that have the account
	// of their connection: see memory.With. Nil: there is no bound.
	Memory *memory.Pool
	Logger *slog.Logger // nil: nobody hears
}

// Limits keep a server alive whatever its clients do. What is zero has the default named.
type Limits struct {
	Connections int // at once: 1024; for one more, one is closed that is not let in yet
	MessageSize int // bytes: 64 MiB; before the client is let in never more than 16 KiB
	Memory      int // bytes of a connection: of its requests that wait, of a request's values, of a row: 512 MiB
	// UserConnections and UserMemory, in bytes of Options.Memory, bound what one user has, where
	// there are users: as much as there is.
	UserConnections, UserMemory int
	Idle                        time.Duration // of a transaction or result that the client does nothing with: 1 minute
	Login                       time.Duration // to get as far as being let in: 30 seconds
	KeepAlive                   time.Duration // between signs of life while a statement runs: 10 seconds
	Grace                       time.Duration // for connections to end when the server does: 5 seconds
}

// strangerMessage is the most bytes of a message from a client that is not let in yet.
const strangerMessage = 16 << 10

func (o Options) withDefaults() Options {
	l := &o.Limits
	l.Connections = orElse(l.Connections, 1024)
	l.MessageSize = orElse(l.MessageSize, 64<<20)
	l.Memory = orElse(l.Memory, 512<<20)
	l.Idle = orElse(l.Idle, time.Minute)
	l.Login = orElse(l.Login, 30*time.Second)
	l.KeepAlive = orElse(l.KeepAlive, 10*time.Second)
	l.Grace = orElse(l.Grace, 5*time.Second)
	if o.Memory == nil {
		o.Memory = memory.Unlimited()
	}
	o.Agent = orElse(o.Agent, "Neo4j/5.13.0 compatible (Penstock)")
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func orElse[T comparable](v, otherwise T) T {
	if v == *new(T) {
		return otherwise
	}
	return v
}
