package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/bench"
)

func (a *app) benchUsefulCommand() *cobra.Command {
	var options bench.Options
	var out string
	cmd := &cobra.Command{
		Use:   "useful",
		Short: "Count how much of a graph's edges each iteration has use for",
		Long: `Run kernels in this process, iteration by iteration by messages of active vertices alone,
and print how many vertices are active in each iteration, and of all edges how many are
useful (of active vertices), potentially useful (of vertices that will be active once more)
and never used again: what schedules that send less than all chunks can save, at most.
It keeps 4 bytes a vertex. Paths begin at the vertex that has the most edges.`,
		Example: `  penstock bench useful --graphs rmat-18 --out results
  penstock bench useful --graphs cnr-2000,p2p-31 --data ~/graphs --kernels bfs,pagerank-delta`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			report, err := bench.Useful(cmd.Context(), options)
			return a.endBench(report, out, err)
		},
	}
	options.Runs = 1
	flags := cmd.Flags()
	addStreamedGraphs(flags, &options)
	flags.IntVar(&options.Threads, "threads", runtime.NumCPU(), "threads of every kernel")
	flags.StringVar(&out, "out", "", "`directory` for bench.md and bench.svg")
	return cmd
}
