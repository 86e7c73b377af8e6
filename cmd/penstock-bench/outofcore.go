package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// outOfCore is penstock-bench outofcore.
type outOfCore struct {
	series
	memory cli.Size
}

func (s *outOfCore) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "outofcore",
		Short: "Measure with less memory than the graph takes",
		Long: `Run PageRank (20 iterations), WCC and BFS as whole processes, by turns with GridGraph's
where it is given, each with all its children in a control group of --memory bytes,
page cache included. That takes the right to make control groups, which root has on most
machines; without it only the arena is held to 64 MiB, and the report says so. A process
that takes longer than --limit is stopped.

GridGraph's programs take their memory in whole GiB, and read through the page cache what
fits that. A limit below one GiB suits a copy of it better that counts in MiB
(sed -i 's/1024l\*1024l\*1024l/1024l*1024l/' examples/*.cpp) and is told so by
--gridgraph-memory. The report has the command behind each time, with what it was told.`,
		Example: `  sudo penstock-bench outofcore --gridgraph ~/GridGraph
  sudo penstock-bench outofcore --graphs rmat-22 --memory 256MiB --gridgraph ~/GridGraph`,
		Args: cobra.NoArgs,
	}
	s.memory = bench.DefaultMemory
	s.addRounds(cmd.Flags())
	s.addProgram(cmd.Flags())
	cmd.Flags().StringSliceVar(&s.options.Graphs, "graphs", []string{"rmat-20"}, "`names` of graphs to generate or read")
	cmd.Flags().StringVar(&s.options.Grid, "gridgraph", "", "`directory` of GridGraph, built")
	cmd.Flags().Uint64Var(&s.options.GridMemory, "gridgraph-memory", 0,
		"`number` that GridGraph's programs are told, in the unit that they were built with (default four fifths of"+
			" --memory in GiB, 1 at the least)")
	cmd.Flags().StringVar(&s.options.Data, "data", "", "`directory` with the real graphs cnr-2000 and road-ny")
	cmd.Flags().Var(&s.memory, "memory", "of all processes of a command together")
	return cmd
}

func (s *outOfCore) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.OutOfCore(ctx, uint64(s.memory), s.on(p))
	return s.tell(p, report, err)
}
