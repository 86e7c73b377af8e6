package main

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/bench"
)

func (a *app) benchDenseCommand() *cobra.Command {
	var options bench.Options
	var out string
	grid := bench.DefaultGrid
	cmd := &cobra.Command{
		Use:   "dense",
		Short: "Measure the dense device beside the CPU, on graphs from sparse to full",
		Long: `Run BFS and PageRank, from one vertex or 64, on directed graphs of 2^13 to 2^15 vertices and 8 to
4096 edges a vertex, on the CPU, on npu, which has to be installed, and with --device auto, by
turns: how long the whole run takes, how long of that is computing and making the graph resident
(building the matrix), from how many edges on npu is the sooner, and how near auto is to the
better of the two. It fails when results disagree; interrupted, it tells what it has measured.
Searches begin at the vertices of highest degree; PageRank does 20 iterations. What is measured
becomes part of what auto goes by.

Kernels: ` + formatList(bench.DenseKernels()),
		Example: `  penstock bench dense --out results
  penstock bench dense --scales 13 --factors 8,128,1024 --kernels pagerank,ppr-64`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			report, err := bench.DenseDevices(cmd.Context(), grid, options)
			if report != nil && err != nil { // it takes long: what was measured until then is not lost
				return errors.Join(err, a.endBench(report, out, nil))
			}
			return a.endBench(report, out, err)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&grid.Kinds, "kinds", grid.Kinds, "`kinds` of graphs: uniform, rmat")
	flags.IntSliceVar(&grid.Scales, "scales", grid.Scales, "log2 of the `numbers` of vertices")
	flags.IntSliceVar(&grid.Factors, "factors", grid.Factors, "`numbers` of edges a vertex")
	flags.StringSliceVar(&grid.Kernels, "kernels", grid.Kernels, "`names` of kernels")
	flags.IntVar(&grid.MostEdges, "most-edges", grid.MostEdges, "leave graphs out that have more")
	flags.DurationVar(&grid.Longest, "longest", grid.Longest, "npu is given up where a run takes longer; where one on the CPU does, the kernel is left out")
	flags.IntVar(&options.Runs, "runs", bench.DefaultRuns, "rounds on warm devices; in each, everybody runs once; up to 20 times as many, of the sooner ones, in half the limit")
	flags.DurationVar(&options.Limit, "limit", bench.DefaultLimit, "of a kernel, after the cold runs: after it no further round begins")
	flags.IntVar(&options.Threads, "threads", runtime.NumCPU(), "threads of every kernel")
	flags.StringVar(&out, "out", "", "`directory` for bench.md and bench.svg")
	return cmd
}
