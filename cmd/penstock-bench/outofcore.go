package main

import (
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/bench"
)

func (a *app) benchOutOfCoreCommand() *cobra.Command {
	var options bench.Options
	var out string
	memory := size(bench.DefaultMemory)
	cmd := &cobra.Command{
		Use:   "outofcore",
		Short: "Measure with less memory than the graph takes",
		Long: `Run PageRank (20 iterations), WCC and BFS as whole processes, by turns with GridGraph's
where it is given, each with all its children in a control group of --memory bytes,
page cache included. That takes the right to make control groups, which root has on most
machines; without it only the arena is held to 64 MiB, and the report says so. A process
that takes longer than --limit is stopped.`,
		Example: `  sudo penstock bench outofcore --gridgraph ~/GridGraph
  sudo penstock bench outofcore --graphs rmat-22 --memory 256MiB --gridgraph ~/GridGraph`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			report, err := bench.OutOfCore(cmd.Context(), uint64(memory), options)
			return a.endBench(report, out, err)
		},
	}
	addBenchFlags(cmd.Flags(), &options, &out)
	cmd.Flags().StringSliceVar(&options.Graphs, "graphs", []string{"rmat-20"}, "`names` of graphs to generate or read")
	cmd.Flags().StringVar(&options.Grid, "gridgraph", "", "`directory` of GridGraph, built")
	cmd.Flags().StringVar(&options.Data, "data", "", "`directory` with the real graphs cnr-2000 and road-ny")
	cmd.Flags().Var(&memory, "memory", "of all processes of a command together")
	return cmd
}
