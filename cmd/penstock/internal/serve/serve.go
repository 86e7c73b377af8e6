// Package serve has the command that serves a database by the Bolt protocol, and what goes on beside:
// security, backups, scrubbing, and memory that is given back.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/database"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

// Serve is penstock serve.
type Serve struct {
	listen, graph    string
	imports          string
	create, verbose  bool
	memory, perQuery cli.Size
	changes          cli.Size
	security         securityFlags
	limits           limitFlags
	scrubbing        scrubbing
}

func (c *Serve) Describe() *cobra.Command {
	c.changes = 1 << 30
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
	}
	f := cmd.Flags()
	f.StringVar(&c.listen, "listen", "127.0.0.1:7687", "the `address` to listen on; port 0: any that is free")
	f.StringVar(&c.graph, "graph", "", "the `graph` of clients that choose none; may be left out when there is only one")
	f.BoolVar(&c.create, "create", false, "make the graph if it does not exist, and the database")
	f.Var(
		&c.memory, "memory", "`size` that all statements, messages and runs may hold together; more waits, then fails (default: half of this machine's memory)")
	f.Var(
		&c.perQuery, "query-memory", "`size` that a statement may hold at once (default 1GiB, or --memory if that is less)")
	f.Var(
		&c.changes, "changes-memory", "`size` that changes may take, for each graph, before they are folded into its chunks")
	f.StringVar(
		&c.imports, "import", "", "the `folder` that LOAD CSV reads files from, for whoever may query (default: it is refused)")
	f.BoolVar(&c.verbose, "verbose", false, "log connections, too")
	c.security.add(f)
	c.limits.add(f)
	c.scrubbing.add(f)
	return cmd
}

// Run answers clients until the context is done.
func (c *Serve) Run(ctx context.Context, a *app.App, _ []string) error {
	if a.Dir == "" {
		return app.ErrNoDirectory
	}
	log := newLog(a.Err, c.verbose)
	security, err := c.security.open(a.Dir, c.listen, log)
	if err != nil {
		return err
	}
	options := instance.Options{MustExist: !c.create, Logger: log, Memory: int64(c.memory), QueryMemory: c.queryMemory(),
		ChangesMemory: int64(c.changes), Devices: security.devices, ImportDir: c.imports}
	err = a.WithDB(options, func(db *instance.DB) error {
		defer serveBackups(ctx, db, a.Dir, log)()
		return c.serve(ctx, db, security, log)
	})
	return errors.Join(err, security.close())
}

// serve answers clients of an open database.
func (c *Serve) serve(ctx context.Context, db *instance.DB, security security, log *slog.Logger) error {
	graph, err := app.DefaultGraph(ctx, db, c.graph, c.create)
	if err != nil {
		return err
	}
	open, err := security.guard.Open()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	log.Info("serving", "address", listener.Addr(), "graph", graph, "auth", !open, "tls", security.identity != nil)
	if !open && security.identity == nil && !loopback(c.listen) {
		log.Warn("passwords are sent as plain text: give --tls-cert and --tls-key")
	}
	hangups, stop := context.WithCancel(ctx)
	defer stop()
	go security.onHangup(hangups, log)
	limitGarbage(db.Memory(), int64(c.changes))
	go returnMemory(hangups)
	go c.scrubbing.scrub(hangups, db, log)
	server := security.server(database.New(db), bolt.Options{Graph: graph, Agent: agent(), Limits: c.limits.bolt(),
		Memory: db.Memory(), Logger: log})
	if err := server.Serve(ctx, security.listener(listener)); err != nil {
		return err
	}
	return stoppedError{}
}

// queryMemory is what a statement may hold: not more than all of them together.
func (c *Serve) queryMemory() int64 {
	if c.perQuery == 0 && c.memory > 0 {
		return min(int64(c.memory), query.DefaultMemory)
	}
	return int64(c.perQuery)
}

// agent begins as drivers expect it.
func agent() string {
	return fmt.Sprintf("Neo4j/5.13.0 compatible (Penstock %s)", cli.Version(instance.Version()))
}

func newLog(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// stoppedError is the end that a server is given.
type stoppedError struct{}

func (stoppedError) Error() string { return "stopped; transactions that were open are rolled back" }

// Interrupted is all there is to say.
func (e stoppedError) Interrupted() string { return e.Error() }

// Is makes it exit as whatever is interrupted.
func (stoppedError) Is(target error) bool { return target == context.Canceled }
