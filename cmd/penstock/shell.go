package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

// shellOptions are the flags of shell.
type shellOptions struct {
	connect, graph, user string
	create               bool
}

func (a *app) shellCommand() *cobra.Command {
	var o shellOptions
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
		RunE: func(cmd *cobra.Command, _ []string) error { return a.shell(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.connect, "connect", "", "`address` of a server: bolt://host:port, or bolt+s:// with TLS")
	f.StringVar(&o.graph, "graph", "", "the `graph` to begin with; may be left out when there is only one")
	f.StringVar(&o.user, "user", "", "`name` to log in with; the password is asked for, or taken from $PENSTOCK_PASSWORD")
	f.BoolVar(&o.create, "create", false, "make the graph if it does not exist, and the database")
	return cmd
}

func (a *app) shell(ctx context.Context, o shellOptions) error {
	if o.connect != "" {
		return a.shellRemotely(ctx, o)
	}
	return a.withDB(penstock.Options{MustExist: !o.create}, func(db *penstock.DB) error {
		graph, err := servedGraph(ctx, db, serveOptions{graph: o.graph, create: o.create})
		if err != nil {
			return err
		}
		return a.converse(ctx, &shell{db: &served{db: db}, graph: graph, out: a.Out, notes: a.Err})
	})
}

func (a *app) shellRemotely(ctx context.Context, o shellOptions) error {
	if o.create {
		return cli.UsageError{Err: errors.New("--create makes graphs in a database of this machine: leave it out with --connect")}
	}
	login, err := a.login(remoteOptions{user: o.user})
	if err != nil {
		return err
	}
	remote, err := bolt.Dial(ctx, o.connect, login)
	if err != nil {
		return err
	}
	defer remote.Close()
	return a.converse(ctx, &shell{db: remote, graph: o.graph, out: a.Out, notes: a.Err})
}

// converse runs what is typed, or a script.
func (a *app) converse(ctx context.Context, s *shell) error {
	defer s.rollback()
	if !a.atTerminal() {
		return s.script(ctx, newScriptLines(bufio.NewReader(a.In)))
	}
	// A first Ctrl-C ends ctx for good. Here it is to end one statement only.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	typed := newTypedLines(ctx)
	defer typed.Close()
	return s.interact(ctx, typed)
}

func (a *app) atTerminal() bool {
	in, ok := a.In.(*os.File)
	return ok && isatty.IsTerminal(in.Fd()) && isTerminal(os.Stdout)
}
