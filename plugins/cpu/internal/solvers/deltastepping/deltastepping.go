// Package deltastepping finds least sums of weights along paths. It takes 9 bytes a vertex,
// beside the program's own.
package deltastepping

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// deltaStepping solves least sums of weights along paths where no weight is negative
// (Meyer, Sanders, "Δ-stepping: a parallelizable shortest path algorithm", 2003). Vertices
// wait in buckets of width delta by their distance; the first bucket is emptied again and
// again, until no vertex falls back into it, then the next. A worker whose own share of the
// current bucket is small goes on with it alone (bucket fusion: Zhang et al., "Optimizing
// Ordered Graph Algorithms with GraphIt", 2020), so long thin graphs need few rounds.
//
// A distance is the least of sums that are taken along a path from its start, so it has
// the same bits whatever the schedule. No distance is negative: the bits of one, as an
// integer, compare as it does, and the sign that it lacks says that its vertex waits, as
// its edges were not relaxed since the distance was new, in however many buckets.
type deltaStepping struct {
	p       *solvers.Problem
	weights int // among the program's edge columns
	cover   csr.BlockIndex
	buckets *buckets
	perUnit float64 // buckets for a distance of 1
	alone   int     // batches that are not worth another worker
	round   []int32 // batches that are drawn from
	drawn   atomic.Int64
	refused atomic.Bool
	edges   atomic.Uint64
}

// waits is the sign of a distance.
const waits = math.MinInt64

func lengthOf(key int64) float64 { return math.Float64frombits(uint64(key &^ waits)) }

func New(p *solvers.Problem) solvers.Solver {
	if !p.Code.Asynchronous() || !p.Code.Improves() || p.Code.Spec.Reduce != algorithms.Min ||
		p.Code.Process.Weighting != shape.Plus ||
		!p.Code.Process.SendsFirst(p.Code.Spec) || p.Code.Spec.Activity != algorithms.Changed ||
		p.Code.Spec.Norm != algorithms.NoNorm {
		return nil
	}
	return &deltaStepping{p: p, weights: p.Code.EdgeColumn(p.Code.Process.EdgeColumn)}
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

// Solve tells of one iteration: buckets are none, as iterations would count them. A
// weight that is negative or NaN is met where it would matter; the state is still what it
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

// Begin has the first senders wait, unless one has a distance that keys cannot hold.
func (d *deltaStepping) Begin(ctx context.Context, chunks []*csr.Chunk) error {
	degree := max(1, float64(csr.Entries(chunks))/float64(d.p.N))
	d.cover = csr.NewBlockIndex(chunks, d.p.N)
	mean, least := d.sample(chunks)
	d.perUnit = 1 / widthOf(mean, least, degree)
	d.alone = 1 + int(solvers.TaskEdges/(batchVertices*degree))
	d.edges.Store(0)
	d.refused.Store(false)
	d.buckets.reset(0)
	return d.p.Pool.Blocks(ctx, d.p.N, func(worker, _, from, to int) {
		for v, x := range d.p.Code.State[0].Floats[from:to] {
			d.p.Acc.Keys[from+v] = int64(math.Float64bits(x))
		}
		for v := range bitmap.Members(d.p.Active[from/64 : bitmap.Words(to)]) {
			d.send(worker, uint32(from+v))
		}
	})
}

// send has v wait with the distance that it has.
func (d *deltaStepping) send(worker int, v uint32) {
	key := d.p.Acc.Keys[v]
	if uint64(key) > infinite {
		d.refused.Store(true)
		return
	}
	d.p.Acc.Keys[v] |= waits
	d.buckets.put(worker, d.bucket(key), v)
}

// infinite is the key of a distance without bound. No distance has a greater one: as
// unsigned numbers, those of NaN and of what is negative are.
const infinite = 0x7FF << 52

// widening is how many times the mean weight over the square of the mean degree a bucket
// is wide: of the two that were tried, 20 and 40, the better by the edges that were looked at.
const widening = 40

// widthOf is how wide a bucket is. In one of a times the mean weight about a·degree edges of
// a vertex stay in it and may have others relaxed once more, which each look at degree edges
// again: a is to be the less, the more degree² is. None need be narrower than the least weight.
func widthOf(mean, least, degree float64) float64 {
	width := max(least, widening*mean/(degree*degree))
	if !(width > math.SmallestNonzeroFloat64*lastBucket) || math.IsInf(width, 1) {
		return 1
	}
	return width
}

// sampledWeights is how many are looked at to find their mean.
const sampledWeights = 1024

// sample is the mean and the least of evenly spread weights, of positive and finite ones.
func (d *deltaStepping) sample(chunks []*csr.Chunk) (mean, least float64) {
	step, at := 1+int(csr.Entries(chunks)/sampledWeights), 0
	var sum, count float64
	least = math.Inf(1)
	for _, r := range chunks {
		weights := r.Weights[d.weights]
		for ; at < len(weights); at += step {
			if w := weights[at]; w > 0 && w <= math.MaxFloat64/sampledWeights {
				sum, count, least = sum+w, count+1, min(least, w)
			}
		}
		at -= len(weights)
	}
	return sum / max(1, count), least
}

// bucket is the number of the bucket of a distance.
func (d *deltaStepping) bucket(key int64) uint64 {
	return uint64(int64(min(math.Float64frombits(uint64(key))*d.perUnit, lastBucket)))
}

// lastBucket takes in whatever is further.
const lastBucket = 1 << 52

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

// shareOfRound is one worker's part of a round: what it draws, and what falls back to it.
func (d *deltaStepping) shareOfRound(worker int) {
	edges := 0
	for i := d.drawn.Add(1); i <= int64(len(d.round)); i = d.drawn.Add(1) {
		edges += d.relaxBatch(worker, d.round[i-1])
	}
	for own := d.buckets.detach(worker, d.alone); own != 0; own = d.buckets.detach(worker, d.alone) {
		for own != 0 {
			next := d.buckets.store[own-1].next
			edges += d.relaxBatch(worker, own)
			own = next
		}
	}
	d.edges.Add(uint64(edges))
}

// relaxBatch relaxes the edges of the vertices in a batch that still wait.
func (d *deltaStepping) relaxBatch(worker int, at int32) (edges int) {
	b := &d.buckets.store[at-1]
	some := b.vertices[:b.count]
	d.fetch(some)
	for _, v := range some {
		key := &d.p.Acc.Keys[v]
		if atomic.LoadInt64(key) >= 0 {
			continue
		}
		dist := lengthOf(atomic.AndInt64(key, ^waits))
		for _, r := range d.cover[v/parallel.BlockVertices] {
			if from, to := r.EdgeRange(int(v)); from < to {
				edges += d.relax(worker, r, from, to, dist)
			}
		}
	}
	d.buckets.give(worker, at)
	return edges
}

// fetch looks at an entry of each line of memory that some waiting vertices will need, or
// of the first lines of long lists. Unlike relax it does not depend on what it finds, so
// that the processor waits for many lines at a time.
func (d *deltaStepping) fetch(some []uint32) {
	var neighbors uint32
	var weights float64
	for _, v := range some {
		if atomic.LoadInt64(&d.p.Acc.Keys[v]) >= 0 {
			continue
		}
		for _, r := range d.cover[v/parallel.BlockVertices] {
			from, to := r.EdgeRange(int(v))
			to = min(to, from+fetchedEdges)
			for i := from; i < to; i += neighborsLine {
				neighbors |= r.Neighbors[i]
			}
			for i := from; i < to; i += weightsLine {
				weights += r.Weights[d.weights][i]
			}
		}
	}
	runtime.KeepAlive(neighbors)
	runtime.KeepAlive(weights)
}

// fetchedEdges are as many of a list as are looked at before they are needed: the processor
// foresees the rest itself. A line has so many neighbors or weights.
const (
	fetchedEdges  = 128
	neighborsLine = 16
	weightsLine   = 8
)

// relax offers the neighbors of v, in one chunk, the way through v. A sum that is NaN is
// not at least anything, and so is looked at.
func (d *deltaStepping) relax(worker int, r *csr.Chunk, from, to int, dist float64) int {
	neighbors, weights := r.Neighbors[from:to], r.Weights[d.weights][from:to]
	weights = weights[:len(neighbors)]
	base := uint32(r.Cols.Base)
	keys := d.p.Acc.Keys[base:]
	for i, u := range neighbors {
		sum := dist + weights[i]
		if sum >= lengthOf(atomic.LoadInt64(&keys[u])) {
			continue
		}
		if !d.improve(worker, base+u, sum, weights[i]) {
			break
		}
	}
	return len(neighbors)
}

// improve gives u a lesser distance. It refuses a weight that is not of the kind we take.
func (d *deltaStepping) improve(worker int, u uint32, sum, weight float64) bool {
	if !(weight >= 0) {
		d.refused.Store(true)
		return false
	}
	place, key := &d.p.Acc.Keys[u], int64(math.Float64bits(sum))
	for {
		old := atomic.LoadInt64(place)
		if key >= old&^waits {
			return true
		}
		if atomic.CompareAndSwapInt64(place, old, key|waits) {
			break
		}
	}
	d.buckets.put(worker, d.bucket(key), u)
	return true
}

// refill has all vertices wait anew that may be in no bucket. If they were too far, buckets become
// twice as wide: that happens no more often than distances have powers of two.
func (d *deltaStepping) refill(ctx context.Context) error {
	if !d.buckets.full.Load() {
		d.perUnit /= 2
	}
	first := int64(infinite)
	err := d.p.Pool.Blocks(ctx, d.p.N, func(_, _, from, to int) {
		least := int64(infinite)
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
	d.buckets.reset(d.bucket(first))
	return d.p.Pool.Blocks(ctx, d.p.N, func(worker, _, from, to int) {
		for v, key := range d.p.Acc.Keys[from:to] {
			if key < 0 {
				d.buckets.put(worker, d.bucket(key&^waits), uint32(from+v))
			}
		}
	})
}

// settle makes the distances the state. No vertex sends after.
func (d *deltaStepping) settle(ctx context.Context) error {
	return d.p.Pool.Blocks(ctx, d.p.N, func(_, _, from, to int) {
		for v, key := range d.p.Acc.Keys[from:to] {
			d.p.Code.State[0].Floats[from+v] = math.Float64frombits(uint64(key))
		}
		clear(d.p.Active[from/64 : bitmap.Words(to)])
	})
}
