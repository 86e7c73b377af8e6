package bench

import (
	"context"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// compare runs k once by everybody and fails when a figure differs.
func (g *graph) compare(ctx context.Context, k kernel, q *kuzu, o Options) error {
	if k.figure == nil {
		return nil
	}
	ours, err := g.figure(ctx, k, o)
	if err != nil {
		return err
	}
	if o.GAPBS != "" && k.gapbs != nil {
		theirs, err := g.gapbsFigure(ctx, k, o)
		if err != nil {
			return err
		}
		if err := k.agree("GAPBS", ours, theirs); err != nil {
			return err
		}
	}
	if q != nil && k.kuzu != "" {
		answer, err := q.compute(ctx, k.kuzu)
		if err != nil {
			return err
		}
		if err := k.agree("Kuzu", ours, answer.Figure); err != nil {
			return err
		}
	}
	if o.Grid != "" && k.grid != nil {
		return g.gridAgrees(ctx, k, o, ours)
	}
	return nil
}

// figure is what Penstock's plugin computes.
func (g *graph) figure(ctx context.Context, k kernel, o Options) (figure float64, err error) {
	err = g.withSnapshot(k.graph(), func(snapshot *store.Snapshot) error {
		result, err := host.Run(ctx, snapshot, host.Request{Algorithm: k.algorithm, Params: k.checked(), Threads: o.Threads}, host.Events{})
		if err != nil {
			return err
		}
		figure = k.figure(result.Columns[0])
		return nil
	})
	return figure, err
}
