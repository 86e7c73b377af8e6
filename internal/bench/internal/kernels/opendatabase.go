package kernels

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/store"
)

// openDatabase runs k twice by one engine and times the second run, which finds a device
// with the graph on it, as Kuzu's query finds a graph that is open and projected.
func openDatabase(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) ([]measure.Sample, error) {
	var seconds float64
	err := g.WithSnapshot(k.Graph(), func(snapshot *store.Snapshot) error {
		engine := host.NewEngine(host.DefaultIdle)
		defer engine.Close()
		request := host.Request{Algorithm: k.Algorithm, Params: k.Params, Threads: o.Threads}
		for range 2 {
			started := time.Now()
			if _, err := engine.Run(ctx, snapshot, request, host.Events{}); err != nil {
				return err
			}
			seconds = time.Since(started).Seconds()
		}
		return nil
	})
	return []measure.Sample{{Way: measure.OpenDatabase, Seconds: seconds}}, err
}
