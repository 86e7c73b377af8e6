// Package shell has the command in which one types statements.
package shell

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/database"
	"github.com/penstock-db/penstock/cmd/penstock/internal/remote"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// Shell is penstock shell.
type Shell struct {
	connect, graph, user, imports string
	create                        bool
}

func (c *Shell) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shell",
		Short: "Type statements in openCypher and see their results",
		Long: `Run the openCypher statements that you type, each up to a semicolon, on a database
(--db) or by a server (--connect). Lines that begin with a colon are for the shell:
":help;" names them. Ctrl-C ends the statement that runs, Ctrl-D leaves.

Without a terminal, statements are read from standard input; the first that fails
ends the shell.`,
		Example: `  penstock shell --db ./db --graph air
  penstock shell --connect bolt://localhost:7687 --user ann
  penstock shell --db ./db --graph new --create < script.cypher`,
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	f.StringVar(&c.connect, "connect", "", "`address` of a server: bolt://host:port, or bolt+s:// with TLS")
	f.StringVar(&c.graph, "graph", "", "the `graph` to begin with; may be left out when there is only one")
	f.StringVar(&c.user, "user", "", "`name` to log in with; the password is asked for, or taken from $PENSTOCK_PASSWORD")
	f.BoolVar(&c.create, "create", false, "make the graph if it does not exist, and the database")
	f.StringVar(&c.imports, "import", ".", "the `folder` that LOAD CSV reads files from, with --db")
	return cmd
}

func (c *Shell) Run(ctx context.Context, a *app.App, _ []string) error {
	if c.connect != "" {
		return c.remotely(ctx, a)
	}
	return a.WithDB(instance.Options{MustExist: !c.create, ImportDir: c.imports}, func(db *instance.DB) error {
		graph, err := app.DefaultGraph(ctx, db, c.graph, c.create)
		if err != nil {
			return err
		}
		return converse(ctx, a.In, &session{db: database.New(db), graph: graph, out: a.Out, notes: a.Err})
	})
}

func (c *Shell) remotely(ctx context.Context, a *app.App) error {
	if c.create {
		return cli.UsageError{Err: errors.New(
			"--create makes graphs in a database of this machine: leave it out with --connect")}
	}
	server, err := remote.Server{Address: c.connect, User: c.user}.Dial(ctx, a.In)
	if err != nil {
		return err
	}
	defer server.Close()
	return converse(ctx, a.In, &session{db: server, graph: c.graph, out: a.Out, notes: a.Err})
}

// converse runs what is typed, or the script that in is.
func converse(ctx context.Context, in io.Reader, s *session) error {
	defer s.rollback()
	if !terminal.Interactive(in) {
		return s.script(ctx, newScriptLines(bufio.NewReader(in)))
	}
	// A first Ctrl-C ends ctx for good. Here it is to end one statement only.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	typed := newTypedLines(ctx)
	defer typed.Close()
	return s.interact(ctx, typed)
}
