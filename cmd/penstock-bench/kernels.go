package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// kernels is what penstock-bench does without the name of a command.
type kernels struct{ series }

func (k *kernels) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "penstock-bench",
		Short: "Measure this machine, beside other programs",
		Long: `Load graphs and compute on them: in this process, in the plugin's and as whole processes,
by turns with GAPBS, Kuzu and GridGraph where they are given, on the same graphs
with as many threads. It fails when results differ; else it prints medians, ratios and
goals as Markdown, and the command behind each time. Peers are built below the user's
cache where they are not built yet, Kuzu by Go and cgo. Nothing else is kept but what
--out asks for: graphs are made in a temporary directory (TMPDIR), which takes about 100
bytes an edge, and twice that with Kuzu.

Graphs: ` + strings.Join(bench.GraphNames(), ", ") + `
Kernels: ` + strings.Join(bench.KernelNames(), ", "),
		Example: `  penstock-bench
  penstock-bench --graphs rmat-18,rmat-20 --kernels bfs,pagerank --gapbs ~/gapbs --out results
  penstock-bench --graphs rmat-20 --gapbs ~/gapbs --kuzu bench/kuzu --gridgraph ~/GridGraph
  penstock-bench --graphs cnr-2000,road-ny --data ~/graphs --gapbs ~/gapbs`,
		Args: cobra.NoArgs,
	}
	k.addRounds(cmd.Flags())
	k.addProgram(cmd.Flags())
	k.addPeers(cmd.Flags())
	cmd.Flags().StringSliceVar(&k.options.Graphs, "graphs", []string{"rmat-16"}, "`names` of graphs to generate or read")
	if err := cmd.RegisterFlagCompletionFunc("kernels",
		cobra.FixedCompletions(bench.KernelNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func (k *kernels) addPeers(flags *pflag.FlagSet) {
	flags.StringVar(&k.options.GAPBS, "gapbs", "", "`directory` of the GAP Benchmark Suite's programs")
	flags.StringVar(
		&k.options.Kuzu, "kuzu", "", "`directory` bench/kuzu of Penstock's sources, a module that is built here")
	flags.StringVar(&k.options.Grid, "gridgraph", "", "`directory` of GridGraph, built")
	flags.StringVar(&k.options.Data, "data", "", "`directory` with the real graphs cnr-2000 and road-ny")
}

func (k *kernels) Commands() []cli.Command[*cli.Program] {
	return []cli.Command[*cli.Program]{&scaling{}, &outOfCore{}, &schedule{}, &useful{}, &query{},
		&dense{grid: bench.DefaultGrid}}
}

func (k *kernels) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.Run(ctx, k.on(p))
	return k.tell(p, report, err)
}
