package main

import (
	"context"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// query is penstock-bench query.
type query struct{ series }

func (s *query) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query",
		Short: "Measure statements in Cypher, beside Kuzu",
		Long: `Load graphs whose nodes and edges have properties, and run statements on them: lookups by
id, paths of one to three hops, aggregates over all edges and nodes; by turns with Kuzu
where its module is given, on the same files with as many threads. It fails when answers
differ; else it prints medians and ratios as Markdown. Graphs are made in a temporary
directory (TMPDIR), which takes about 100 bytes an edge, and twice that with Kuzu.`,
		Example: `  penstock-bench query
  penstock-bench query --graphs rmat-16,rmat-18 --kuzu bench/kuzu
  penstock-bench query --graphs air-routes --data ~/graphs --kuzu bench/kuzu`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&s.options.Graphs, "graphs", []string{"rmat-16"},
		"`names` of graphs to generate or read; also air-routes")
	flags.IntVar(&s.options.Runs, "runs", bench.DefaultRuns, "rounds; in each, every contender runs once")
	flags.DurationVar(&s.options.Limit, "limit", bench.DefaultLimit, "after it, a statement begins no further round")
	flags.IntVar(&s.options.Threads, "threads", runtime.NumCPU(), "threads of both")
	flags.StringVar(&s.out, "out", "", "`directory` for bench.md")
	s.addProgram(flags)
	flags.StringVar(
		&s.options.Kuzu, "kuzu", "", "`directory` bench/kuzu of Penstock's sources, a module that is built here")
	flags.StringVar(&s.options.Data, "data", "", "`directory` with the real graphs cnr-2000, road-ny and air-routes")
	return cmd
}

func (s *query) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.Query(ctx, s.on(p))
	return s.tell(p, report, err)
}
