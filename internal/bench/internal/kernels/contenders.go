package kernels

import (
	"context"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/inprocess"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// contenders are those who have k, in the order in which they take turns.
func contenders(g *graphs.Graph, k kernel.Kernel, q *programs.Kuzu, o measure.Options) []measure.Contender {
	all := []measure.Contender{
		func(ctx context.Context) ([]measure.Sample, error) { return inprocess.InProcess(ctx, g, k, o) },
		func(ctx context.Context) ([]measure.Sample, error) { return wholeProcess(ctx, g, k, o) },
	}
	if o.GAPBS != "" && k.Gapbs != nil {
		all = append(all, func(ctx context.Context) ([]measure.Sample, error) { return runGAPBS(ctx, g, k, o) })
	}
	if q != nil && k.Kuzu != "" {
		all = append(all, func(ctx context.Context) ([]measure.Sample, error) { return openDatabase(ctx, g, k, o) },
			func(ctx context.Context) ([]measure.Sample, error) { return q.Run(ctx, k.Kuzu) })
	}
	if o.Grid != "" && k.Grid != nil {
		all = append(all, func(ctx context.Context) ([]measure.Sample, error) { return runGrid(ctx, g, k, o) })
	}
	return all
}
