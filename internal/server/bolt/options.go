package bolt

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// Options of a server. What is zero has a default.
type Options struct {
	Graph    string                       // of requests that name none
	Home     func(context.Context) string // the same, for each caller; nil: Graph
	Auth     backend.Authenticator        // nil: every client is let in, without a name
	Commands []backend.Command            // asked in turn before a statement goes to the database
	// Recorded is what the server's own commands are wrapped in, so that they are recorded; nil: nothing.
	Recorded func(backend.Command) backend.Command
	// Administrator tells whether a caller may see and end what others run; nil: every caller may.
	Administrator func(context.Context) bool
	// Shown is a statement as SHOW TRANSACTIONS has it, without passwords; nil: as it is.
	Shown  func(statement string) string
	Agent  string // what the server says it is
	Limits Limits
	// Memory is what requests, statements and answers take from, beyond memory.Allowance for each;
	// of it, messages take half at the most. Statements run in contexts that have the account
	// of their connection: see memory.With. Nil: there is no bound.
	Memory *memory.Pool
	Logger *slog.Logger // nil: nothing is logged
}

// Limits keep a server alive whatever its clients do. What is zero has the default named.
type Limits struct {
	Connections     int // at once: 1024; for one more, the server closes one that has not logged in
	UserConnections int // of a user that has logged in: as many
	UserMemory      int // bytes of Options.Memory that a user that has logged in may take: all
	MessageSize     int // bytes: 64 MiB; before the client has logged in at most 16 KiB
	// bytes of a connection: of its requests that wait, of a request's values, of a row: 512 MiB
	Memory int
	// of a transaction or result that the client does nothing with, or of half a message: 1 minute
	Idle        time.Duration
	Login       time.Duration // to log in: 30 seconds
	Statement   time.Duration // until the last row is taken: no limit
	Transaction time.Duration // whatever a client asks for: no limit
	KeepAlive   time.Duration // between signs of life while a statement runs: 10 seconds
	Grace       time.Duration // for connections to end when the server does: 5 seconds
}

func (o Options) recorded(c backend.Command) backend.Command {
	if o.Recorded == nil {
		return c
	}
	return o.Recorded(c)
}

func (o Options) withDefaults() Options {
	l := &o.Limits
	l.Connections = cmp.Or(l.Connections, 1024)
	l.MessageSize = cmp.Or(l.MessageSize, 64<<20)
	l.Memory = cmp.Or(l.Memory, 512<<20)
	l.Idle = cmp.Or(l.Idle, time.Minute)
	l.Login = cmp.Or(l.Login, 30*time.Second)
	l.KeepAlive = cmp.Or(l.KeepAlive, 10*time.Second)
	l.Grace = cmp.Or(l.Grace, 5*time.Second)
	if o.Memory == nil {
		o.Memory = memory.Unlimited()
	}
	o.Agent = cmp.Or(o.Agent, "Neo4j/5.13.0 compatible (Penstock)")
	if graph := o.Graph; o.Home == nil {
		o.Home = func(context.Context) string { return graph }
	}
	if o.Shown == nil {
		o.Shown = func(statement string) string { return statement }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
