package bench

import "context"

// contenders are those who have k, in the order in which they take turns.
func (g *graph) contenders(k kernel, q *kuzu, o Options) []contender {
	all := []contender{
		func(ctx context.Context) ([]sample, error) { return g.inProcess(ctx, k, o) },
		func(ctx context.Context) ([]sample, error) { return g.wholeProcess(ctx, k, o) },
	}
	if o.GAPBS != "" && k.gapbs != nil {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.runGAPBS(ctx, k, o) })
	}
	if q != nil && k.kuzu != "" {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.openDatabase(ctx, k, o) },
			func(ctx context.Context) ([]sample, error) { return q.run(ctx, k.kuzu) })
	}
	if o.Grid != "" && k.grid != nil {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.runGrid(ctx, k, o) })
	}
	return all
}
