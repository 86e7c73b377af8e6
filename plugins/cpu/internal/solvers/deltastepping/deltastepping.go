// Package deltastepping finds the best sums, products, least or largest of weights along paths,
// where no edge makes a path better. It takes 9 bytes a vertex, beside the program's own.
//
//	first senders ──▶ buckets, the best states first   (buckets.go; ranking.go says which is whose)
//	bucket ──relax edges──▶ better states of neighbors ──▶ this bucket or a later one   (relax.go)
package deltastepping

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// deltaStepping solves paths whose extension is never better than they are (Meyer, Sanders,
// "Δ-stepping: a parallelizable shortest path algorithm", 2003, for least sums). Vertices
// wait in buckets by their state; the first bucket is emptied again and
// again, until no vertex falls back into it, then the next. A worker whose own share of the
// current bucket is small goes on with it alone (bucket fusion: Zhang et al., "Optimizing
// Ordered Graph Algorithms with GraphIt", 2020), so long thin graphs need few rounds.
//
// A state is the best of what is taken along a path from its start, so it has
// the same bits whatever the schedule. Keys are ranks of states, and the
// sign that they lack says that a vertex waits, as
// its edges were not relaxed since its state was new, in however many buckets.
type deltaStepping struct {
	p       *solvers.Problem
	weights int // among the program's edge columns
	scale   scale
	cover   csr.BlockIndex
	buckets *buckets
	alone   int     // batches that are not worth another worker
	round   []int32 // batches that are drawn from
	drawn   atomic.Int64
	refused atomic.Bool
	edges   atomic.Uint64
}

// waits is the sign of a key.
const waits = math.MinInt64

// New is nil for a program of another shape. Where weights are added or multiplied, relaxing
// sees that no edge makes a path better; of the least for the largest, and the other way round,
// no edge can.
func New(p *solvers.Problem) solvers.Solver {
	if !p.Code.OnlyLastCounts() || !p.Code.Process.SendsFirst(p.Code.Spec) || !extends(p.Code) {
		return nil
	}
	return &deltaStepping{p: p, weights: p.Code.EdgeColumn(p.Code.Process.EdgeColumn)}
}

// extends tells whether an extension may be worse, for each weighting.
func extends(p *compile.Code) bool {
	least, largest := p.Spec.Reduce == algorithms.Min, p.Spec.Reduce == algorithms.Max
	switch p.Process.Weighting {
	case shape.Plus, shape.Largest:
		return least
	case shape.Times:
		return least || largest
	case shape.Least:
		return largest
	}
	return false
}

func (d *deltaStepping) Name() string { return "delta-stepping" }

func (d *deltaStepping) Scratch() uint64 {
	return bucketBytes(d.p.N, d.p.Pool.Threads) + 4*uint64(batchCount(d.p.N, d.p.Pool.Threads)) +
		csr.BlockIndexBytes*uint64(parallel.BlockCount(d.p.N))
}

func (d *deltaStepping) Allocate() {
	d.buckets = newBuckets(d.p.N, d.p.Pool.Threads)
	d.round = make([]int32, 0, batchCount(d.p.N, d.p.Pool.Threads))
}

// Solve tells of one iteration: buckets are none, as iterations would count them. An edge
// that makes a path better, or NaN, is met where it would matter; the state is still what it
// was at first then.
func (d *deltaStepping) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (uint64,
	bool, error) {
	if err := d.Begin(ctx, chunks); err != nil || d.refused.Load() {
		return 0, false, err
	}
	for more := true; more; {
		var err error
		if more, err = d.Step(ctx); err != nil {
			return d.edges.Load(), false, err
		}
		if d.refused.Load() {
			return d.edges.Load(), false, nil
		}
	}
	if err := d.settle(ctx); err != nil {
		return d.edges.Load(), false, err
	}
	d.p.Progress.Conclude(0, 0)
	tell(d.p.Progress.Report(), d.edges.Load())
	return d.edges.Load(), true, nil
}

// Begin has the first senders wait, unless one has a state that has no rank.
func (d *deltaStepping) Begin(ctx context.Context, chunks []*csr.Chunk) error {
	degree := max(1, float64(csr.Entries(chunks))/float64(d.p.N))
	d.cover = csr.NewBlockIndex(chunks, d.p.N)
	d.scale = newScale(rankingOf(d.p.Code.Spec.Reduce), d.p.Code.Process.Weighting, d.sample(chunks), degree)
	d.alone = 1 + int(solvers.TaskEdges/(batchVertices*degree))
	d.edges.Store(0)
	d.refused.Store(false)
	first := int64(worst)
	err := d.p.Pool.Blocks(ctx, d.p.N, func(_, _, from, to int) {
		best := int64(worst)
		for v, x := range d.p.Code.State[0].Floats[from:to] {
			rank := int64(d.scale.encode(x))
			d.p.Acc.Keys[from+v] = rank
			best = min(best, rank)
		}
		ordering.Lower(&first, best)
	})
	if err != nil {
		return err
	}
	if d.p.Code.Process.Weighting == shape.Times {
		d.scale.first = uint64(max(first, 0))
	}
	d.buckets.reset(0)
	return d.p.Pool.Blocks(ctx, d.p.N, func(worker, _, from, to int) {
		for v := range bitmap.Members(d.p.Active[from/64 : bitmap.Words(to)]) {
			d.send(worker, uint32(from+v))
		}
	})
}

// send has v wait with the state that it has.
func (d *deltaStepping) send(worker int, v uint32) {
	rank := uint64(d.p.Acc.Keys[v])
	if rank > worst || rank == d.scale.below && !bottleneck(d.p.Code.Process.Weighting) {
		d.refused.Store(true)
		return
	}
	d.p.Acc.Keys[v] |= waits
	d.buckets.put(worker, d.scale.bucket(rank), v)
}

// bottleneck tells whether the worst edge of a path is what it is worth.
func bottleneck(w shape.Weighting) bool { return w == shape.Least || w == shape.Largest }

// sampledWeights is how many are looked at.
const sampledWeights = 1024

// sample is evenly spread weights, of positive and finite ones.
func (d *deltaStepping) sample(chunks []*csr.Chunk) (some []float64) {
	step, at := 1+int(csr.Entries(chunks)/sampledWeights), 0
	for _, r := range chunks {
		weights := r.Weights[d.weights]
		for ; at < len(weights); at += step {
			if w := weights[at]; w > 0 && w <= math.MaxFloat64/sampledWeights {
				some = append(some, w)
			}
		}
		at -= len(weights)
	}
	return some
}

// Step empties the current bucket once, or finds the next; it tells whether there was one.
func (d *deltaStepping) Step(ctx context.Context) (bool, error) {
	if d.buckets.full.Load() || !d.buckets.advance() {
		if !d.buckets.full.Load() && d.buckets.far() == noBucket {
			return false, ctx.Err()
		}
		return true, d.refill(ctx)
	}
	d.round = d.buckets.gather(d.round[:0])
	d.drawn.Store(0)
	workers := 1
	if len(d.round) > d.alone {
		workers = d.p.Pool.Threads
	}
	return true, d.p.Pool.Run(ctx, workers, func(worker, _ int) { d.shareOfRound(worker) })
}

// refill has all vertices wait anew that may be in no bucket. If they were too far, buckets become
// twice as wide: that happens no more often than there are powers of two.
func (d *deltaStepping) refill(ctx context.Context) error {
	if !d.buckets.full.Load() {
		d.scale.perUnit /= 2
	}
	first := int64(worst)
	err := d.p.Pool.Blocks(ctx, d.p.N, func(_, _, from, to int) {
		least := int64(worst)
		for _, key := range d.p.Acc.Keys[from:to] {
			if key < 0 {
				least = min(least, key&^waits)
			}
		}
		ordering.Lower(&first, least)
	})
	if err != nil {
		return err
	}
	d.buckets.reset(d.scale.bucket(uint64(first)))
	return d.p.Pool.Blocks(ctx, d.p.N, func(worker, _, from, to int) {
		for v, key := range d.p.Acc.Keys[from:to] {
			if key < 0 {
				d.buckets.put(worker, d.scale.bucket(uint64(key&^waits)), uint32(from+v))
			}
		}
	})
}

// settle makes the keys the state. No vertex sends after.
func (d *deltaStepping) settle(ctx context.Context) error {
	return d.p.Pool.Blocks(ctx, d.p.N, func(_, _, from, to int) {
		for v, key := range d.p.Acc.Keys[from:to] {
			d.p.Code.State[0].Floats[from+v] = d.scale.decode(uint64(key))
		}
		clear(d.p.Active[from/64 : bitmap.Words(to)])
	})
}
