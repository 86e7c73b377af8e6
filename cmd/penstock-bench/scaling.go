package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// scaling is penstock-bench scaling.
type scaling struct {
	series
	from, to int
}

func (s *scaling) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scaling",
		Short: "Measure how the time an edge grows with the graph",
		Long: `Run kernels in this process on RMAT graphs from one scale to another, and print
nanoseconds an edge as Markdown. A graph of scale 22 has 64 million edges: making and
loading it takes about 4 GB of memory and 8 GB of TMPDIR, and each scale more twice as much.`,
		Example: `  penstock-bench scaling
  penstock-bench scaling --from 14 --to 20 --kernels pagerank,bfs --out results`,
		Args: cobra.NoArgs,
	}
	s.addRounds(cmd.Flags())
	s.addProgram(cmd.Flags())
	cmd.Flags().IntVar(&s.from, "from", 14, "the first `scale`")
	cmd.Flags().IntVar(&s.to, "to", 22, "the last `scale`")
	return cmd
}

func (s *scaling) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.Scale(ctx, s.from, s.to, s.on(p))
	return s.tell(p, report, err)
}
