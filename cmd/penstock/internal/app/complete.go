package app

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// CompleteGraph offers the shell the graphs of the database that --db names, as first argument.
// Without a database that can be opened it offers nothing.
func CompleteGraph(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return graphNames(cmd), cobra.ShellCompDirectiveNoFileComp
}

// OfferGraphs has the shell offer the same as values of a flag.
func OfferGraphs(cmd *cobra.Command, flag string) {
	offer(cmd, flag, func(cmd *cobra.Command, _ []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return CompleteGraph(cmd, nil, text)
	})
}

// Offer has the shell offer the values that a flag may have.
func Offer(cmd *cobra.Command, flag string, values ...string) {
	offer(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func offer(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // a flag that the command does not define
	}
}

// graphNames are the names of all graphs, or none when they cannot be read.
func graphNames(cmd *cobra.Command) []string {
	a := &App{Program: cli.New(nil, io.Discard, io.Discard), Dir: cmd.Flag("db").Value.String(),
		ReadOnly: cmd.Flag("read-only").Value.String() == "true"}
	db, err := a.open(instance.Options{MustExist: true}, host.Expected{})
	if err != nil {
		return nil
	}
	defer db.Close()
	graphs, err := db.Graphs()
	if err != nil {
		return nil
	}
	names := make([]string, len(graphs))
	for i, m := range graphs {
		names[i] = m.Graph
	}
	return names
}
