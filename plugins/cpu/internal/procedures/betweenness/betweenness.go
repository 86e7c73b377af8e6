// Package betweenness computes betweenness centrality by Brandes's algorithm (Brandes, "A
// faster algorithm for betweenness centrality", 2001). It takes 119 bytes a vertex, and 8 for
// each of up to four threads; with weights 24, and 36 for each of these threads.
package betweenness

import (
	"context"
	"errors"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/centrality"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// betweenness is Brandes's algorithm for lanes sources at a time: all workers on all of
// them (brandes.go), or each on one (coarse.go), level by level (search.go) or by weights
// (dijkstra.go).
type betweenness struct {
	procedures.Input
	ids, outDegree, inDegree []int64
	sum                      []float64
}

func init() { procedures.Register("betweenness", newBetweenness) }

func newBetweenness(f procedures.Input) (procedures.Procedure, error) {
	if f.N > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "betweenness of %d vertices: up to %d", f.N, math.MaxInt32)
	}
	input := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	err := f.Columns.Require(input("id"), input("out_degree"), input("in_degree"),
		algorithms.Column{Name: "betweenness", Type: algorithms.Float})
	return &betweenness{Input: f, ids: f.Columns["id"].Ints, outDegree: f.Columns["out_degree"].Ints,
		inDegree: f.Columns["in_degree"].Ints, sum: f.Columns["betweenness"].Floats}, err
}

// weighted tells whether paths are as long as the sums of their weights.
func (b *betweenness) weighted() bool { return b.Args.Strings["weight"] != "" }

// Scratch: the sources as they are drawn, and what dijkstra, or brandes and coarse, have.
func (b *betweenness) Scratch() uint64 {
	drawn := 24 * uint64(b.N)
	if b.weighted() {
		return drawn + uint64(searchers(b.Pool))*dijkstraBytes*uint64(b.N)
	}
	return drawn + brandesBytes(b.N, b.Pool) + searchesBytes(b.N, b.Pool)
}

func (b *betweenness) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	err := b.Pool.Blocks(ctx, b.N, func(_, _, from, to int) { clear(b.sum[from:to]) })
	if err != nil {
		return 0, err
	}
	sources, scale, err := centrality.BetweennessSources(b.ids, b.Args)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "betweenness: %v", err)
	}
	told := 0.0
	passes, err := b.add(ctx, sources, chunks, func(fraction float64) {
		if fraction-told >= 0.01 {
			told = fraction
			tell(fraction)
		}
	})
	if err != nil {
		return 0, err
	}
	return uint64(passes) * csr.Entries(chunks), b.Pool.Blocks(ctx, b.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			b.sum[v] *= scale
		}
	})
}

// add adds up the dependencies on the sources, in order, so that sums are the same for any
// number of threads. It returns how often it has gone over the graph.
func (b *betweenness) add(ctx context.Context, sources []int, chunks []*csr.Chunk, tell func(float64)) (passes int,
	err error) {
	if !b.weighted() {
		return b.byLevels(ctx, sources, newBrandes(b, chunks), tell)
	}
	if err := procedures.PositivePathWeights("betweenness", b.ids, chunks); err != nil {
		return 0, err
	}
	return 2 * len(sources), b.weights(chunks).all(ctx, sources, procedures.Progress{To: 1, Tell: tell})
}

// byLevels goes from several sources together, until lanes turn out to seldom meet.
func (b *betweenness) byLevels(ctx context.Context, sources []int, fine *brandes, tell func(float64)) (passes int,
	err error) {
	all := len(sources)
	share := func(at int) float64 { return float64(at) / float64(all) }
	for at := 0; at < all; at += lanes {
		to := min(at+lanes, all)
		err := fine.batch(ctx, sources[at:to], procedures.Progress{From: share(at), To: share(to), Tell: tell})
		if errors.Is(err, errDeep) {
			return passes + 2*(all-at), fine.coarse().all(ctx, sources[at:],
				procedures.Progress{From: share(at), To: 1, Tell: tell})
		}
		if err != nil {
			return passes, err
		}
		passes += 2
	}
	return passes, nil
}
