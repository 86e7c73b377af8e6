package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// schedule is penstock-bench schedule.
type schedule struct {
	series
	budgets   bench.Budgets
	schedules []string
	link      cli.Bandwidth
}

func (s *schedule) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schedule",
		Short: "Measure what reaches a device that has less memory than the graph takes",
		Long: `Run kernels on devices that hold their state and only a share of the graph's edges, in turn
by every schedule: bytes sent to the device, time, iterations and the most that the device
held, as Markdown. It fails when a result is not that of a device that holds all chunks, or
when a device has held more than its budget. A run that takes longer than --limit is stopped.
Paths begin at the vertex that has the most edges. Of each kernel and budget it says which
schedules are the Pareto front of bytes and processors' time, and where auto is beside it.

Schedules: those of 'penstock run --schedule', with their parameters, perhaps followed by
" --synchronous"; and plain, which is whole with a program that the device has no special
way for, as the papers on Subway and Scaph have their baseline.

Graphs: one of a database (--db and --graph), in the chunks that it has there; else, in some 64
chunks, ` + strings.Join(bench.GraphNames(), ", ") + `, p2p-31`,
		Example: `  penstock-bench schedule --graphs rmat-16 --out results
  penstock-bench schedule --db DIR --graph roads --weight minutes --kernels sssp,widest-path
  penstock-bench schedule --graphs rmat-18 --kernels bfs --shares 0.25 --link-bandwidth 12GB/s
  penstock-bench schedule --schedules whole,scaph:alpha=0.3,beta=0.2,scaph:alpha=0.7,beta=0.5`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.IntVar(&s.options.Runs, "runs", bench.DefaultRuns, "rounds; in each, every schedule runs once")
	flags.DurationVar(&s.options.Limit, "limit", bench.DefaultLimit,
		"of a run; and after it, a kernel with a budget begins no further round")
	s.addThreads(flags)
	s.addOut(flags)
	s.addStreamedGraphs(flags)
	stored := &s.budgets.Stored
	flags.StringVar(&stored.Database, "db", "",
		"`directory` of a database, one of whose graphs is measured instead of --graphs")
	flags.StringVar(&stored.Graph, "graph", "", "`name` of a graph in --db")
	flags.StringVar(&stored.Weight, "weight", "",
		"edge `property` of that graph that kernels with weights read (default: the one that penstock run reads)")
	flags.StringSliceVar(&s.schedules, "schedules", bench.DefaultSchedules, "`names` of schedules")
	flags.Float64SliceVar(&s.budgets.Shares, "shares", bench.DefaultShares,
		"`shares` of the edges' bytes that fit the device beside its state")
	flags.Var(&s.link, "link-bandwidth", "simulate that chunks reach the device over a link of so many bytes a second")
	return cmd
}

func (s *schedule) Run(ctx context.Context, p *cli.Program, _ []string) error {
	budgets := s.budgets
	budgets.Schedules, budgets.SimulatedLink = joinParameters(s.schedules), uint64(s.link.Size)
	report, err := bench.Schedules(ctx, budgets, s.on(p))
	return s.tell(p, report, err)
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
