// Package app is what all commands of penstock have in common: streams, the flags that all have, and
// the database that --db names. A command is a value of a package beside this one:
//
//	app.Root(commands...) ──▶ cobra ──▶ Command.Run(ctx, app, arguments) ──▶ app.WithDB ──▶ instance.DB
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// App is what every command gets.
type App struct {
	*cli.Program
	Dir      string // of the database
	ReadOnly bool
}

// Command is one command of penstock.
type Command = cli.Command[*App]

// New is an App on these streams.
func New(in io.Reader, out, err io.Writer) *App {
	a := &App{Program: cli.New(in, out, err)}
	a.Interrupted = "interrupted; the database is as it was"
	return a
}

// Execute runs one command line by one of these commands, and returns the exit status.
func (a *App) Execute(ctx context.Context, commands []Command, args []string) int {
	return a.Program.Execute(ctx, a.root(commands), args)
}

func (a *App) root(commands []Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "penstock",
		Short: "A property-graph database that runs analytics in place",
		Long: `Penstock stores property graphs and runs analytics on them where they are:
a host streams chunks of topology out of storage into device plugins that run in
processes of their own. Begin with:

  penstock demo`,
		Version:                    cli.Version(instance.Version()),
		SuggestionsMinimumDistance: 2,

		Args: cobra.ArbitraryArgs,
		RunE: bare,
	}
	a.Prepare(root)
	root.PersistentFlags().StringVar(&a.Dir, "db", os.Getenv("PENSTOCK_DB"), "database `directory` (default $PENSTOCK_DB)")
	root.PersistentFlags().BoolVar(&a.ReadOnly, "read-only", false,
		"open the database for reading only: several programs may, and nothing in it is changed")
	for _, c := range commands {
		root.AddCommand(cli.Build(a, c))
	}
	return root
}

// bare answers a command line without a known command.
func bare(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	message := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		message += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return cli.UsageError{Err: errors.New(message)}
}

// CPUTimeUsage is of the flag --device-cpu-time.
const CPUTimeUsage = "most `time` of processors that each device may take, with all its threads: one that takes more is killed (default: any; on Linux)"

// TimeoutUsage is of the flag --timeout of what runs on devices.
const TimeoutUsage = "time within which a device must start, and without an answer after which it counts as hung"

// UnconfinedUsage is of the flag --no-confinement.
const UnconfinedUsage = "run the `device` of this name, as in --device, without walls: it may do what you may (plugin doctor says which walls there are)"
