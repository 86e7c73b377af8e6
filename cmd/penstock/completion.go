package main

import (
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/exporter"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/host"
)

// completeGraph offers the graphs of the database that --db names, as first argument or
// as value of a flag. Without a database that can be opened it offers nothing.
func (a *app) completeGraph(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return a.graphNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeAlgorithm offers the algorithms with their summaries.
func completeAlgorithm(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if len(args) == 0 {
		for _, algorithm := range algorithms.All() {
			names = append(names, cobra.CompletionWithDesc(algorithm.Name, algorithm.Summary))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// choices are the values of flags that have a fixed set of them.
func choices(command string) map[string][]string {
	switch command {
	case "load":
		return map[string][]string{"format": importer.Formats()}
	case "export":
		return map[string][]string{"format": exporter.Formats()}
	case "generate":
		return map[string][]string{"kind": {"rmat", "uniform"}}
	case "run", "estimate":
		return map[string][]string{
			"reduce": {"sum", "prod", "min", "max", "and", "or"}, "edges": {"forward", "backward", "both"},
			"schedule": host.Schedules,
		}
	}
	return nil
}

// addCompletions tells the shell what arguments and flags can be.
func (a *app) addCompletions(root *cobra.Command) error {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "run", "estimate":
			cmd.ValidArgsFunction = completeAlgorithm
			if err := cmd.RegisterFlagCompletionFunc("graph", func(cmd *cobra.Command, _ []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return a.completeGraph(cmd, nil, text)
			}); err != nil {
				return err
			}
		case "info", "stats", "drop", "verify", "compact", "export":
			cmd.ValidArgsFunction = a.completeGraph
		}
		for flag, values := range choices(cmd.Name()) {
			if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
				return err
			}
		}
	}
	return nil
}
