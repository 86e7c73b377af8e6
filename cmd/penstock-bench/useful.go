package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// useful is penstock-bench useful.
type useful struct{ series }

func (s *useful) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "useful",
		Short: "Count how much of a graph's edges each iteration has use for",
		Long: `Run kernels in this process, iteration by iteration by messages of active vertices alone,
and print how many vertices are active in each iteration, and of all edges how many are
useful (of active vertices), potentially useful (of vertices that will be active once more)
and never used again: what schedules that send less than all chunks can save, at most.
It keeps 4 bytes a vertex. Paths begin at the vertex that has the most edges.`,
		Example: `  penstock-bench useful --graphs rmat-18 --out results
  penstock-bench useful --graphs cnr-2000,p2p-31 --data ~/graphs --kernels bfs,pagerank-delta`,
		Args: cobra.NoArgs,
	}
	s.options.Runs = 1
	flags := cmd.Flags()
	s.addStreamedGraphs(flags)
	s.addThreads(flags)
	s.addOut(flags)
	return cmd
}

func (s *useful) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.Useful(ctx, s.on(p))
	return s.tell(p, report, err)
}
