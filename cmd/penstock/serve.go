package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	listen, graph    string
	create, verbose  bool
	cert, key        string
	auth             string
	users            []string
	connections      int
	message          cli.Size
	memory, perQuery cli.Size
	perConnection    cli.Size
	perUser          cli.Size
	userConnections  int
	perStatement     time.Duration
	perTransaction   time.Duration
	changes          cli.Size
	idle             time.Duration
	devices          []string
	audit            string
	auditStatements  string
	scrubbing        scrubbing
}

func (a *app) serveCommand() *cobra.Command {
	o := serveOptions{message: 64 << 20, perConnection: 512 << 20, changes: 1 << 30, scrubbing: scrubbing{rate: 8 << 20}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the database to Neo4j's drivers, by Bolt",
		Long: `Serve the graphs of a database by the Bolt protocol (5.0 to 5.4, and 4.4), so that
Neo4j's drivers and tools can query and change them. A client chooses a graph by the
driver's setting for the database.

It listens on this machine only, unless --listen says otherwise. Where the database has
users ('penstock user add'), or --user names some, clients must log in, and do what
their roles allow. It ends by Ctrl-C or SIGTERM: transactions that are open are rolled
back. After SIGHUP it reads the TLS certificate again and opens the audit log anew; a
certificate that has changed is found without it. 'penstock backup' makes backups
meanwhile.`,
		Example: `  penstock serve --db ./db
  penstock serve --db ./db --graph air --listen 0.0.0.0:7687 --auth basic --tls-cert cert.pem --tls-key key.pem`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:7687", "the `address` to listen on; port 0: any that is free")
	f.StringVar(&o.graph, "graph", "", "the `graph` of clients that choose none; may be left out when there is only one")
	f.BoolVar(&o.create, "create", false, "make the graph if it does not exist, and the database")
	f.StringVar(&o.cert, "tls-cert", "", "certificate `file` (PEM): clients connect by bolt+s:// then")
	f.StringVar(&o.key, "tls-key", "", "the certificate's key `file` (PEM)")
	f.StringVar(&o.auth, "auth", "", "`basic`: by name and password; none: everybody is let in (default: basic where there are users)")
	f.StringArrayVar(&o.users, "user", nil, "let a user in beside those of the database, `name:password` or name:hash:roles; without roles an admin")
	f.IntVar(&o.connections, "max-connections", 1024, "connections at once, `n`; for one more, the oldest that has not logged in is closed")
	f.IntVar(&o.userConnections, "max-connections-per-user", 0, "connections at once of a user who has logged in, `n` (default: as many as there may be)")
	f.Var(&o.message, "max-message", "largest message of a client, `size`")
	f.Var(&o.perConnection, "connection-memory", "`size` that a connection's requests and rows may take")
	f.Var(&o.memory, "memory", "`size` that all statements, messages and runs may hold together; more waits, then fails (default: half of this machine's memory)")
	f.Var(&o.perQuery, "query-memory", "`size` that a statement may hold at once (default 1GiB, or --memory if that is less)")
	f.Var(&o.perUser, "user-memory", "`size` of --memory that the connections of a user who has logged in may take together (default: all)")
	f.DurationVar(&o.perStatement, "query-timeout", 0, "end a statement that takes longer, until its last row is sent, than this `time` (default: never)")
	f.DurationVar(&o.perTransaction, "transaction-timeout", 0, "end a transaction that takes longer than this `time`, also if its client allows more (default: never)")
	f.Var(&o.changes, "changes-memory", "`size` that changes may take, for each graph, before they are folded into its chunks")
	f.DurationVar(&o.idle, "idle", time.Minute, "roll a transaction back that its client does nothing with, after this `time`")
	f.StringVar(&o.audit, "audit", "", "append a JSON line for each login and statement to a `file`; what cannot be recorded is refused")
	f.StringVar(&o.auditStatements, "audit-statements", "text", "what the audit log has of statements: text, without passwords, or hash (SHA-256)")
	f.StringSliceVar(&o.devices, "devices", nil, "`names` of the devices that clients' algorithms may run on, as in cpu,npu (default: cpu and the plugins that are installed when the server starts)")
	f.Var(&o.scrubbing.rate, "scrub", "read the files at most `size` a second, and log what is damaged; 0: never")
	f.DurationVar(&o.scrubbing.every, "scrub-every", 24*time.Hour, "`time` from one reading of all files to the next")
	f.BoolVar(&o.verbose, "verbose", false, "log connections, too")
	return cmd
}

// serve answers clients until the context is done.
func (a *app) serve(ctx context.Context, o serveOptions) error {
	if a.dir == "" {
		return errNoDirectory
	}
	log := a.serverLog(o)
	security, err := o.security(a.dir, log)
	if err != nil {
		return err
	}
	options := penstock.Options{MustExist: !o.create, Logger: log, Memory: int64(o.memory), QueryMemory: o.queryMemory(), ChangesMemory: int64(o.changes), Devices: security.devices}
	err = a.withDB(options, func(db *penstock.DB) error {
		defer serveBackups(ctx, db, a.dir, log)()
		return o.serve(ctx, db, security, log)
	})
	return errors.Join(err, security.close())
}

// serve answers clients of an open database.
func (o serveOptions) serve(ctx context.Context, db *penstock.DB, security security, log *slog.Logger) error {
	graph, err := servedGraph(ctx, db, o)
	if err != nil {
		return err
	}
	open, err := security.guard.Open()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	log.Info("serving", "address", listener.Addr(), "graph", graph, "auth", !open, "tls", security.identity != nil)
	if !open && security.identity == nil && !loopback(o.listen) {
		log.Warn("passwords are sent as plain text: give --tls-cert and --tls-key")
	}
	hangups, stop := context.WithCancel(ctx)
	defer stop()
	go security.onHangup(hangups, log)
	limitGarbage(db.Memory(), int64(o.changes))
	go returnMemory(hangups)
	go o.scrubbing.scrub(hangups, db, log)
	server := security.server(&served{db: db}, bolt.Options{Graph: graph, Agent: agent(), Limits: o.limits(), Memory: db.Memory(), Logger: log})
	if err := server.Serve(ctx, security.listener(listener)); err != nil {
		return err
	}
	return stoppedError{}
}

// queryMemory is what a statement may hold: not more than all of them together.
func (o serveOptions) queryMemory() int64 {
	if o.perQuery == 0 && o.memory > 0 {
		return min(int64(o.memory), query.DefaultMemory)
	}
	return int64(o.perQuery)
}

func (o serveOptions) limits() bolt.Limits {
	return bolt.Limits{
		Connections: o.connections, UserConnections: o.userConnections, UserMemory: int(o.perUser),
		MessageSize: int(o.message), Memory: int(o.perConnection),
		Idle: o.idle, Statement: o.perStatement, Transaction: o.perTransaction,
	}
}

// agent begins as drivers expect it.
func agent() string {
	return fmt.Sprintf("Neo4j/5.13.0 compatible (Penstock %s)", cli.Version(penstock.Version()))
}

func (a *app) serverLog(o serveOptions) *slog.Logger {
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
}

// servedGraph is the graph of clients that choose none; empty where there are several.
func servedGraph(ctx context.Context, db *penstock.DB, o serveOptions) (string, error) {
	graphs, err := db.Graphs()
	if err != nil {
		return "", err
	}
	if o.graph == "" && !o.create && len(graphs) > 1 {
		return "", nil
	}
	graph, err := chooseGraph(ctx, db, queryOptions{graph: o.graph, create: o.create})
	if err != nil {
		return "", err
	}
	_, err = db.Graph(graph)
	return graph, err
}

// stoppedError is the end that a server is given.
type stoppedError struct{}

func (stoppedError) Error() string { return "stopped; transactions that were open are rolled back" }

// Interrupted is all there is to say.
func (e stoppedError) Interrupted() string { return e.Error() }

// Is makes it exit as whatever is interrupted.
func (stoppedError) Is(target error) bool { return target == context.Canceled }
