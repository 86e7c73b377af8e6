package cpu

import (
	"context"
	"errors"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// betweenness is Brandes's algorithm for lanes sources at a time: all workers on all of
// them (brandes.go), or each on one (coarse.go).
type betweenness struct {
	frame
	ids, outDegree, inDegree []int64
	sum                      []float64
}

func newBetweenness(f frame) (procedure, error) {
	if f.n > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "betweenness of %d vertices: up to %d", f.n, math.MaxInt32)
	}
	input := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	err := f.require(input("id"), input("out_degree"), input("in_degree"), algorithms.Column{Name: "betweenness", Type: algorithms.Float})
	return &betweenness{frame: f, ids: f.columns["id"].Ints, outDegree: f.columns["out_degree"].Ints,
		inDegree: f.columns["in_degree"].Ints, sum: f.columns["betweenness"].Floats}, err
}

// scratch: the sources as they are drawn, and what brandes and coarse have.
func (b *betweenness) scratch() uint64 {
	return 24*uint64(b.n) + brandesBytes(b.n, b.pool) + searchesBytes(b.n, b.pool)
}

func (b *betweenness) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	err := b.pool.blocks(ctx, b.n, func(_, _, from, to int) { clear(b.sum[from:to]) })
	if err != nil {
		return 0, err
	}
	sources, scale, err := algorithms.BetweennessSources(b.ids, b.args)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "betweenness: %v", err)
	}
	told := 0.0
	passes, err := b.add(ctx, sources, newBrandes(b, chunks), func(fraction float64) {
		if fraction-told >= 0.01 {
			told = fraction
			tell(fraction)
		}
	})
	if err != nil {
		return 0, err
	}
	return uint64(passes) * entries(chunks), b.pool.blocks(ctx, b.n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			b.sum[v] *= scale
		}
	})
}

// add adds up the dependencies on the sources, in order, so that sums are the same for any
// number of threads. It returns how often it has gone over the graph.
func (b *betweenness) add(ctx context.Context, sources []int, fine *brandes, tell func(float64)) (passes int, err error) {
	all := len(sources)
	share := func(at int) float64 { return float64(at) / float64(all) }
	for at := 0; at < all; at += lanes {
		to := min(at+lanes, all)
		err := fine.batch(ctx, sources[at:to], progress{share(at), share(to), tell})
		if errors.Is(err, errDeep) {
			return passes + 2*(all-at), fine.coarse().all(ctx, sources[at:], progress{share(at), 1, tell})
		}
		if err != nil {
			return passes, err
		}
		passes += 2
	}
	return passes, nil
}
