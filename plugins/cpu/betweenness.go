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

// call adds up the batches in order, so that sums are the same for any number of threads.
func (b *betweenness) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	clear(b.sum)
	sources, scale, err := algorithms.BetweennessSources(b.ids, b.args)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "betweenness: %v", err)
	}
	fine := newBrandes(b, chunks)
	batch := fine.batch
	told := 0.0
	for at := 0; at < len(sources); at += lanes {
		part := progress{float64(at) / float64(len(sources)), float64(min(at+lanes, len(sources))) / float64(len(sources)), func(fraction float64) {
			if fraction-told >= 0.01 {
				told = fraction
				tell(fraction)
			}
		}}
		some := sources[at:min(at+lanes, len(sources))]
		err := batch(ctx, some, part)
		if errors.Is(err, errDeep) {
			batch = fine.coarse().batch
			err = batch(ctx, some, part)
		}
		if err != nil {
			return 0, err
		}
	}
	for v := range b.sum {
		b.sum[v] *= scale
	}
	return 2 * entries(chunks) * uint64((len(sources)+lanes-1)/lanes), nil
}
