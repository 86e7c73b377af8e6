package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// deltaStepping solves least sums of weights along paths where no weight is negative
// (Meyer, Sanders, "Δ-stepping: a parallelizable shortest path algorithm", 2003). Vertices
// wait in buckets of width delta by their distance; the first bucket is emptied again and
// again, until nobody falls back into it, then the next. A worker whose own share of the
// current bucket is small goes on with it alone (bucket fusion: Zhang et al., "Optimizing
// Ordered Graph Algorithms with GraphIt", 2020), so long thin graphs need few rounds.
//
// A distance is the least of sums that are taken along a path from its start, so it has
// the same bits whatever the schedule. No distance is negative: the bits of one, as an
// integer, are its key.
//
// The program's keys have the distance of each vertex, and touched who has a new one since
// its edges were last relaxed: whoever waits, in however many buckets.
type deltaStepping struct {
	p       *program
	weights int // among the program's edge columns
	cover   cover
	buckets *buckets
	perUnit float64 // buckets for a distance of 1
	alone   int     // batches that are not worth another worker
	round   []int32 // batches that are drawn from
	drawn   atomic.Int64
	refused atomic.Bool
	edges   atomic.Uint64
}

func newDeltaStepping(p *program, _ plugins.Graph) solver {
	if !p.asynchronous() || !p.improves() || p.spec.Reduce != algorithms.Min || p.process.weighting != plusWeight ||
		!p.sendsFirst() || p.spec.Activity != algorithms.Changed || p.spec.Norm != algorithms.NoNorm {
		return nil
	}
	return &deltaStepping{p: p, weights: p.edgeColumn(p.process.edgeColumn)}
}

func (d *deltaStepping) name() string { return "delta-stepping" }

func (d *deltaStepping) scratch() uint64 {
	return bucketBytes(d.p.n, d.p.pool.threads) + 4*uint64(batchCount(d.p.n, d.p.pool.threads)) + coverBytes*uint64(blockCount(d.p.n))
}

func (d *deltaStepping) allocate() {
	d.buckets = newBuckets(d.p.n, d.p.pool.threads)
	d.round = make([]int32, 0, batchCount(d.p.n, d.p.pool.threads))
}

// solve tells of one iteration: buckets are none, as whoever stepped would count them. A
// weight that is negative or NaN is met where it would matter; the state is still what it
// was at first then.
func (d *deltaStepping) solve(ctx context.Context, chunks []*resident, tell func(*plugins.Iteration, uint64)) (uint64, bool, error) {
	if err := d.p.empty(ctx); err != nil || !d.begin(chunks) {
		return 0, false, err
	}
	for more := true; more; {
		var err error
		if more, err = d.step(ctx); err != nil {
			return d.edges.Load(), false, err
		}
		if d.refused.Load() {
			d.p.emptied = false
			return d.edges.Load(), false, nil
		}
	}
	if err := d.settle(ctx); err != nil {
		return d.edges.Load(), false, err
	}
	d.p.conclude(0, 0)
	tell(d.p.report(), d.edges.Load())
	return d.edges.Load(), true, nil
}

// begin has the first senders wait, unless one has a distance that keys cannot hold.
func (d *deltaStepping) begin(chunks []*resident) bool {
	for v := range members(d.p.active) {
		if uint64(d.p.keys[v]) > infinite {
			return false
		}
	}
	degree := max(1, float64(entries(chunks))/float64(d.p.n))
	d.cover = coverOf(chunks, d.p.n)
	d.perUnit = 1 / widthOf(meanWeight(chunks, d.weights), degree)
	d.alone = 1 + int(taskEdges/(batchVertices*degree))
	d.edges.Store(0)
	d.refused.Store(false)
	d.buckets.reset(0)
	for v := range members(d.p.active) {
		d.wait(0, uint32(v), d.p.keys[v])
	}
	return true
}

// infinite is the key of a distance without bound. No distance has a greater one: as
// unsigned numbers, those of NaN and of what is negative are.
const infinite = 0x7FF << 52

// widening is how many times the mean weight over the mean degree a bucket is wide. RMAT
// 20 took a fifth longer at 8, a road network a tenth longer at 1/2.
const widening = 4

// widthOf is how wide a bucket is: a few times the weight by which a vertex reaches one more.
func widthOf(mean, degree float64) float64 {
	width := widening * mean / degree
	if !(width > math.SmallestNonzeroFloat64*lastBucket) || math.IsInf(width, 1) {
		return 1
	}
	return width
}

// meanWeight is the mean over evenly spread edges, positive and finite ones.
func meanWeight(chunks []*resident, column int) float64 {
	var sum, count float64
	for _, r := range chunks {
		weights := r.weights[column]
		for i := 0; i < len(weights); i += 1 + len(weights)/samples {
			if w := weights[i]; w > 0 && w <= math.MaxFloat64/samples {
				sum, count = sum+w, count+1
			}
		}
	}
	return sum / max(1, count)
}

// bucket is the number of the bucket of a distance.
func (d *deltaStepping) bucket(key int64) uint64 {
	return uint64(min(math.Float64frombits(uint64(key))*d.perUnit, lastBucket))
}

// lastBucket takes in whatever is further.
const lastBucket = 1 << 52

// step empties the current bucket once, or finds the next; it tells whether there was one.
func (d *deltaStepping) step(ctx context.Context) (bool, error) {
	if d.buckets.full.Load() || !d.buckets.advance() {
		if !d.buckets.full.Load() && d.buckets.far() == nobody {
			return false, ctx.Err()
		}
		return true, d.refill(ctx)
	}
	d.round = d.buckets.gather(d.round[:0])
	d.drawn.Store(0)
	workers := 1
	if len(d.round) > d.alone {
		workers = d.p.pool.threads
	}
	return true, d.p.pool.run(ctx, workers, func(worker, _ int) { d.share(worker) })
}

// share is one worker's part of a round: what it draws, and what falls back to it.
func (d *deltaStepping) share(worker int) {
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

// relaxBatch relaxes the edges of those in a batch whose distance is new.
func (d *deltaStepping) relaxBatch(worker int, at int32) (edges int) {
	b := &d.buckets.store[at-1]
	for _, v := range b.vertices[:b.count] {
		word, bit := &d.p.touched[v/64], uint64(1)<<(v%64)
		if atomic.LoadUint64(word)&bit == 0 || atomic.AndUint64(word, ^bit)&bit == 0 {
			continue
		}
		dist := math.Float64frombits(uint64(atomic.LoadInt64(&d.p.keys[v])))
		for _, r := range d.cover[v/blockVertices] {
			edges += d.relax(worker, r, int(v), dist)
		}
	}
	d.buckets.give(worker, at)
	return edges
}

// relax offers the neighbours of v, in one chunk, the way through v. A sum that is NaN is
// not at least anything, and so is looked at.
func (d *deltaStepping) relax(worker int, r *resident, v int, dist float64) int {
	neighbors, weights := r.weighted(v, d.weights)
	weights = weights[:len(neighbors)]
	keys := d.p.keys[r.cols.Base:r.cols.End()]
	for i, u := range neighbors {
		sum := dist + weights[i]
		if sum >= math.Float64frombits(uint64(atomic.LoadInt64(&keys[u]))) {
			continue
		}
		if !d.improve(worker, &keys[u], uint32(r.cols.Base)+u, sum, weights[i]) {
			break
		}
	}
	return len(neighbors)
}

// weighted is the part of v's list that r has, with a column of weights.
func (r *resident) weighted(v, column int) ([]uint32, []float64) {
	local := v - int(r.rows.Base)
	if local < 0 || local >= int(r.rows.Count) {
		return nil, nil
	}
	row, found := r.advance(r.rowFrom(local), local)
	if !found {
		return nil, nil
	}
	from, to := r.offsets[row], r.offsets[row+1]
	return r.neighbors[from:to], r.weights[column][from:to]
}

// improve gives u a lesser distance. It refuses a weight that is not of the kind we take.
func (d *deltaStepping) improve(worker int, place *int64, u uint32, sum, weight float64) bool {
	if !(weight >= 0) {
		d.refused.Store(true)
		return false
	}
	if key := int64(math.Float64bits(sum)); lowerKey(place, key) {
		d.wait(worker, u, key)
	}
	return true
}

// wait has v wait, whose key is new.
func (d *deltaStepping) wait(worker int, v uint32, key int64) {
	word, bit := &d.p.touched[v/64], uint64(1)<<(v%64)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
	d.buckets.put(worker, d.bucket(key), v)
}

// refill has all wait anew who may be in no bucket. If they were too far, buckets become
// twice as wide: that happens no more often than distances have powers of two.
func (d *deltaStepping) refill(ctx context.Context) error {
	if !d.buckets.full.Load() {
		d.perUnit /= 2
	}
	first := int64(infinite)
	err := d.p.pool.blocks(ctx, d.p.n, func(_, _, from, to int) {
		least := int64(infinite)
		for v := range members(d.p.touched[from/64 : wordCount(to)]) {
			least = min(least, d.p.keys[from+v])
		}
		lowerKey(&first, least)
	})
	if err != nil {
		return err
	}
	d.buckets.reset(d.bucket(first))
	return d.p.pool.blocks(ctx, d.p.n, func(worker, _, from, to int) {
		for v := range members(d.p.touched[from/64 : wordCount(to)]) {
			d.buckets.put(worker, d.bucket(d.p.keys[from+v]), uint32(from+v))
		}
	})
}

// settle gives each vertex the state that its key stands for. Nobody sends after.
func (d *deltaStepping) settle(ctx context.Context) error {
	return d.p.pool.blocks(ctx, d.p.n, func(_, _, from, to int) {
		d.p.order.decode(d.p.state[0].Slice(from, to), d.p.keys[from:to])
		clear(d.p.active[from/64 : wordCount(to)])
	})
}
