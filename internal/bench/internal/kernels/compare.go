package kernels

import (
	"context"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
	"github.com/penstock-db/penstock/store"
)

// Compare runs k once by everybody and fails when a figure differs.
func Compare(ctx context.Context, g *graphs.Graph, k kernel.Kernel, q *programs.Kuzu, o measure.Options) error {
	if k.Figure == nil {
		return nil
	}
	ours, err := figure(ctx, g, k, o)
	if err != nil {
		return err
	}
	if o.GAPBS != "" && k.Gapbs != nil {
		theirs, err := gapbsFigure(ctx, g, k, o)
		if err != nil {
			return err
		}
		if err := k.Agree("GAPBS", ours, theirs); err != nil {
			return err
		}
	}
	if q != nil && k.Kuzu != "" {
		answer, err := q.Compute(ctx, k.Kuzu)
		if err != nil {
			return err
		}
		if err := k.Agree("Kuzu", ours, answer.Figure); err != nil {
			return err
		}
	}
	if o.Grid != "" && k.Grid != nil {
		return gridAgrees(ctx, g, k, o, ours)
	}
	return nil
}

// figure is what Penstock's plugin computes.
func figure(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) (figure float64, err error) {
	err = g.WithSnapshot(k.Graph(), func(snapshot *store.Snapshot) error {
		result, err := host.Run(ctx, snapshot, host.Request{Algorithm: k.Algorithm, Params: k.Checked(), Threads: o.Threads},
			host.Events{})
		if err != nil {
			return err
		}
		figure = k.Figure(result.Columns[0])
		return nil
	})
	return figure, err
}
