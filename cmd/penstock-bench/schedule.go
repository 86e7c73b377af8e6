package main

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/bench"
)

func (a *app) benchScheduleCommand() *cobra.Command {
	var options bench.Options
	var budgets bench.Budgets
	var out string
	var schedules []string
	var link bandwidth
	cmd := &cobra.Command{
		Use:   "schedule",
		Short: "Measure what reaches a device that has less memory than the graph takes",
		Long: `Run kernels on devices that hold their state and only a share of the graph's edges, in turn
by every schedule: bytes sent to the device, time, iterations and the most that the device
held, as Markdown. It fails when a result is not that of a device that holds all chunks, or
when a device has held more than its budget. A run that takes longer than --limit is stopped.
Paths begin at the vertex that has the most edges.

Schedules: those of 'penstock run --schedule', with their parameters, perhaps followed by
" --synchronous"; and plain, which is whole with a program that the device has no special
way for, as the papers on Subway and Scaph have their baseline.

Graphs: ` + formatList(bench.GraphNames()) + `, p2p-31`,
		Example: `  penstock bench schedule --graphs rmat-16 --out results
  penstock bench schedule --graphs rmat-18 --kernels bfs --shares 0.25 --link-bandwidth 12GB/s
  penstock bench schedule --schedules whole,scaph:alpha=0.3,beta=0.2,scaph:alpha=0.7,beta=0.5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.beginBench(&options)
			budgets.Schedules, budgets.SimulatedLink = joinParameters(schedules), uint64(link.size)
			report, err := bench.Schedules(cmd.Context(), budgets, options)
			return a.endBench(report, out, err)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&options.Runs, "runs", bench.DefaultRuns, "rounds; in each, every schedule runs once")
	flags.DurationVar(&options.Limit, "limit", bench.DefaultLimit, "of a run; and after it, a kernel with a budget begins no further round")
	flags.IntVar(&options.Threads, "threads", runtime.NumCPU(), "threads of every kernel")
	flags.StringVar(&out, "out", "", "`directory` for bench.md and bench.svg")
	addStreamedGraphs(flags, &options)
	flags.StringSliceVar(&schedules, "schedules", bench.DefaultSchedules, "`names` of schedules")
	flags.Float64SliceVar(&budgets.Shares, "shares", bench.DefaultShares, "`shares` of the edges' bytes that fit the device beside its state")
	flags.Var(&link, "link-bandwidth", "simulate that chunks reach the device over a link of so many bytes a second")
	return cmd
}

// addStreamedGraphs adds the flags that choose graphs, which may be directed, and kernels.
func addStreamedGraphs(flags *pflag.FlagSet, options *bench.Options) {
	flags.StringSliceVar(&options.Graphs, "graphs", []string{"rmat-16"}, "`names` of graphs to generate or read")
	flags.StringSliceVar(&options.Kernels, "kernels", nil, "`names` of kernels (default: bfs, sssp, wcc, pagerank-delta, widest-path)")
	flags.StringVar(&options.Data, "data", "", "`directory` with the real graphs cnr-2000, road-ny and p2p-31")
}

// joinParameters mends what splitting at commas has done to "scaph:alpha=0.4,beta=0.2".
func joinParameters(pieces []string) (schedules []string) {
	for _, piece := range pieces {
		last := len(schedules) - 1
		if last >= 0 && strings.Contains(piece, "=") && !strings.Contains(piece, ":") {
			schedules[last] += "," + piece
		} else {
			schedules = append(schedules, piece)
		}
	}
	return schedules
}
