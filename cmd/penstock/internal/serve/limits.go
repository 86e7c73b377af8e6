package serve

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

// limitFlags are the flags that bound what clients take.
type limitFlags struct {
	connections, userConnections    int
	message, perConnection, perUser cli.Size
	idle                            time.Duration
	perStatement, perTransaction    time.Duration
}

func (l *limitFlags) add(f *pflag.FlagSet) {
	l.message, l.perConnection = 64<<20, 512<<20
	f.IntVar(&l.connections, "max-connections", 1024,
		"connections at once, `n`; for one more, the oldest that has not logged in is closed")
	f.IntVar(&l.userConnections, "max-connections-per-user", 0,
		"connections at once of a user who has logged in, `n` (default: as many as there may be)")
	f.Var(&l.message, "max-message", "largest message of a client, `size`")
	f.Var(&l.perConnection, "connection-memory", "`size` that a connection's requests and rows may take")
	f.Var(
		&l.perUser, "user-memory", "`size` of --memory that the connections of a user who has logged in may take together (default: all)")
	f.DurationVar(&l.perStatement, "query-timeout", 0,
		"end a statement that takes longer, until its last row is sent, than this `time` (default: never)")
	f.DurationVar(&l.perTransaction, "transaction-timeout", 0,
		"end a transaction that takes longer than this `time`, also if its client allows more (default: never)")
	f.DurationVar(
		&l.idle, "idle", time.Minute, "roll a transaction back that its client does nothing with, after this `time`")
}

func (l limitFlags) bolt() bolt.Limits {
	return bolt.Limits{
		Connections: l.connections, UserConnections: l.userConnections, UserMemory: int(l.perUser),
		MessageSize: int(l.message), Memory: int(l.perConnection),
		Idle: l.idle, Statement: l.perStatement, Transaction: l.perTransaction,
	}
}
