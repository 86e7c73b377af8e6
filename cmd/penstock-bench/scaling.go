package main

import (
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/bench"
)

func (a *app) benchScalingCommand() *cobra.Command {
	var options bench.Options
	var out string
	var from, to int
	cmd := &cobra.Command{
		Use:   "scaling",
		Short: "Measure how the time an edge grows with the graph",
		Long: `Run kernels in this process on RMAT graphs from one scale to another, and print
nanoseconds an edge as Markdown. A graph of scale 22 has 64 million edges: making and
loading it takes about 4 GB of memory and 8 GB of TMPDIR, and each scale more twice as much.`,
		Example: `  penstock bench scaling
  penstock bench scaling --from 14 --to 20 --kernels pagerank,bfs --out results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			report, err := bench.Scale(cmd.Context(), from, to, options)
			return a.endBench(report, out, err)
		},
	}
	addBenchFlags(cmd.Flags(), &options, &out)
	cmd.Flags().IntVar(&from, "from", 14, "the first `scale`")
	cmd.Flags().IntVar(&to, "to", 22, "the last `scale`")
	return cmd
}
