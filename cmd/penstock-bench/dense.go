package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// dense is penstock-bench dense.
type dense struct {
	series
	grid bench.Grid
}

func (s *dense) Describe() *cobra.Command {
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

Kernels: ` + strings.Join(bench.DenseKernels(), ", "),
		Example: `  penstock-bench dense --out results
  penstock-bench dense --scales 13 --factors 8,128,1024 --kernels pagerank,ppr-64`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&s.grid.Kinds, "kinds", s.grid.Kinds, "`kinds` of graphs: uniform, rmat")
	flags.IntSliceVar(&s.grid.Scales, "scales", s.grid.Scales, "log2 of the `numbers` of vertices")
	flags.IntSliceVar(&s.grid.Factors, "factors", s.grid.Factors, "`numbers` of edges a vertex")
	flags.StringSliceVar(&s.grid.Kernels, "kernels", s.grid.Kernels, "`names` of kernels")
	flags.IntVar(&s.grid.MostEdges, "most-edges", s.grid.MostEdges, "leave graphs out that have more")
	flags.DurationVar(&s.grid.Longest, "longest", s.grid.Longest,
		"npu is given up where a run takes longer; where one on the CPU does, the kernel is left out")
	flags.IntVar(&s.options.Runs, "runs", bench.DefaultRuns,
		"rounds on warm devices; in each, every contender runs once; up to 20 times as many, of the sooner ones, in half the limit")
	flags.DurationVar(&s.options.Limit, "limit", bench.DefaultLimit,
		"of a kernel, after the cold runs: after it no further round begins")
	s.addThreads(flags)
	s.addOut(flags)
	return cmd
}

func (s *dense) Run(ctx context.Context, p *cli.Program, _ []string) error {
	report, err := bench.DenseDevices(ctx, s.grid, s.on(p))
	if report != nil && err != nil { // it takes long: what was measured until then is not lost
		return errors.Join(err, s.tell(p, report, nil))
	}
	return s.tell(p, report, err)
}
