package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/bench"
)

// benchReport is what every series of measurements gives.
type benchReport interface{ WriteMarkdown(io.Writer) error }

// drawnReport is one that is also drawn.
type drawnReport interface{ WriteSVG(io.Writer) error }

func (a *app) benchCommand() *cobra.Command {
	var options bench.Options
	var out string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine, beside other programs",
		Long: `Load graphs and compute on them: in this process, in the plugin's and as whole processes,
by turns with GAPBS, Kuzu and GridGraph where they are given, on the same graphs
with as many threads. It fails when results differ; else it prints medians, ratios and
goals as Markdown, and the command behind each time. Peers are built below the user's
cache where they are not built yet, Kuzu by Go and cgo. Nothing else is kept but what
--out asks for: graphs are made in a temporary directory (TMPDIR), which takes about 100
bytes an edge, and twice that with Kuzu.

Graphs: ` + formatList(bench.GraphNames()) + `
Kernels: ` + formatList(bench.KernelNames()),
		Example: `  penstock bench
  penstock bench --graphs rmat-18,rmat-20 --kernels bfs,pagerank --gapbs ~/gapbs --out results
  penstock bench --graphs rmat-20 --gapbs ~/gapbs --kuzu bench/kuzu --gridgraph ~/GridGraph
  penstock bench --graphs cnr-2000,road-ny --data ~/graphs --gapbs ~/gapbs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			report, err := bench.Run(cmd.Context(), options)
			return a.endBench(report, out, err)
		},
	}
	addBenchFlags(cmd.Flags(), &options, &out)
	addPeerFlags(cmd.Flags(), &options)
	cmd.Flags().StringSliceVar(&options.Graphs, "graphs", []string{"rmat-16"}, "`names` of graphs to generate or read")
	cmd.AddCommand(a.benchScalingCommand(), a.benchOutOfCoreCommand(), a.benchScheduleCommand(), a.benchUsefulCommand(), a.benchQueryCommand(), a.benchDenseCommand())
	return cmd
}

func addBenchFlags(flags *pflag.FlagSet, options *bench.Options, out *string) {
	flags.StringSliceVar(&options.Kernels, "kernels", nil, "`names` of kernels (default: all that a peer has)")
	flags.IntVar(&options.Runs, "runs", bench.DefaultRuns, "rounds; in each, everybody runs once")
	flags.DurationVar(&options.Limit, "limit", bench.DefaultLimit, "after it, a kernel begins no further round")
	flags.IntVar(&options.Threads, "threads", runtime.NumCPU(), "threads of every kernel")
	flags.StringVar(out, "out", "", "`directory` for bench.md and bench.svg")
}

func addPeerFlags(flags *pflag.FlagSet, options *bench.Options) {
	flags.StringVar(&options.GAPBS, "gapbs", "", "`directory` of the GAP Benchmark Suite's programs")
	flags.StringVar(&options.Kuzu, "kuzu", "", "`directory` bench/kuzu of Penstock's sources, a module that is built here")
	flags.StringVar(&options.Grid, "gridgraph", "", "`directory` of GridGraph, built")
	flags.StringVar(&options.Data, "data", "", "`directory` with the real graphs cnr-2000 and road-ny")
}

func (a *app) beginBench(options *bench.Options) {
	options.Command = "penstock " + strings.Join(os.Args[1:], " ")
	options.Progress = func(step string) { fmt.Fprintln(a.stderr, step) }
}

// endBench tells what was measured, or why it was not.
func (a *app) endBench(report benchReport, out string, err error) error {
	var wrong *bench.OptionError
	if errors.As(err, &wrong) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if out != "" {
		if err := writeBench(report, out); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(report)
	}
	return report.WriteMarkdown(a.stdout)
}

func writeBench(report benchReport, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := writeTo(filepath.Join(dir, "bench.md"), report.WriteMarkdown)
	if drawn, is := report.(drawnReport); is {
		err = errors.Join(err, writeTo(filepath.Join(dir, "bench.svg"), drawn.WriteSVG))
	}
	return err
}

func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
