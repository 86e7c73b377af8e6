package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/store"
)

// app is what every command shares: streams, and the flags that all have.
type app struct {
	*cli.Program
	dir      string
	readOnly bool
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{Program: cli.New(stdin, stdout, stderr)}
	a.Interrupted = "interrupted; the database is as it was"
	return a.Execute(ctx, a.rootCommand(), args)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "penstock",
		Short: "A property-graph database that runs analytics in place",
		Long: `Penstock stores property graphs and runs analytics on them where they are:
a host streams chunks of topology out of storage into device plugins that run in
processes of their own. Begin with:

  penstock demo`,
		Version:                    cli.Version(penstock.Version()),
		SuggestionsMinimumDistance: 2,

		Args: cobra.ArbitraryArgs,
		RunE: a.bare,
	}
	a.Prepare(root)
	root.PersistentFlags().StringVar(&a.dir, "db", os.Getenv("PENSTOCK_DB"), "database `directory` (default $PENSTOCK_DB)")
	root.PersistentFlags().BoolVar(&a.readOnly, "read-only", false, "open the database for reading only: several programs may, and nothing in it is changed")
	root.AddCommand(
		a.demoCommand(), a.loadCommand(), a.generateCommand(), a.graphsCommand(), a.infoCommand(), a.statsCommand(),
		a.dropCommand(), a.runCommand(), a.estimateCommand(), a.algorithmsCommand(), a.exportCommand(),
		a.verifyCommand(), a.repairCommand(), a.compactCommand(), a.backupCommand(), a.restoreCommand(), a.queryCommand(), a.shellCommand(), a.serveCommand(), a.userCommand(),
		a.topCommand(), a.killCommand(), a.pluginCommand(), movedCommand())
	if err := a.addCompletions(root); err != nil {
		panic(err) // a flag that the command does not define
	}
	return root
}

// bare answers a command line without a known command.
func (a *app) bare(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	message := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		message += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return cli.UsageError{Err: errors.New(message)}
}

var errNoDirectory = cli.UsageError{Err: errors.New("--db DIR is missing: which database? (or set PENSTOCK_DB)")}

// open opens the database that --db names. A damaged one is opened for reading only, whatever is to be done with it.
func (a *app) open(options penstock.Options) (*penstock.DB, error) {
	if a.dir == "" {
		return nil, errNoDirectory
	}
	options.ReadOnly = a.readOnly
	db, err := penstock.OpenWith(a.dir, options)
	if damaged := (*store.DamagedDatabaseError)(nil); errors.As(err, &damaged) {
		options.ReadOnly = true
		db, err = penstock.OpenWith(a.dir, options)
	}
	if errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w; --read-only opens it for reading", err)
	}
	if err != nil {
		return nil, err
	}
	if damage := db.Damage(); len(damage) > 0 {
		fmt.Fprintf(a.Err, "penstock: %v\n", &store.DamagedDatabaseError{Dir: a.dir, Damage: damage})
	}
	return db, nil
}

// withDB opens the database, calls do and closes it.
func (a *app) withDB(options penstock.Options, do func(*penstock.DB) error) error {
	db, err := a.open(options)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}
