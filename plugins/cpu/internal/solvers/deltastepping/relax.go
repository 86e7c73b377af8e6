package deltastepping

import (
	"runtime"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

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
		own := uint64(atomic.AndInt64(key, ^waits) &^ waits)
		x := d.scale.decode(own)
		for _, r := range d.cover[v/parallel.BlockVertices] {
			if from, to := r.EdgeRange(int(v)); from < to {
				edges += d.relax(worker, r, from, to, x, own)
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

// relax offers the neighbors of v, in one chunk, the way through v, whose state x has a rank. It looks
// at what is better than they hold, and at what has no rank.
func (d *deltaStepping) relax(worker int, r *csr.Chunk, from, to int, x float64, own uint64) int {
	neighbors, weights := r.Neighbors[from:to], r.Weights[d.weights][from:to]
	weights = weights[:len(neighbors)]
	base, ranks := uint32(r.Cols.Base), d.scale.ranking
	keys := d.p.Acc.Keys[base:]
	switch d.p.Code.Process.Weighting {
	case shape.Plus:
		for i, u := range neighbors {
			rank := ranks.of(x + weights[i])
			if held := heldBy(&keys[u]); (rank < held || rank > worst) && !d.improve(worker, base+u, rank, own) {
				break
			}
		}
	case shape.Times:
		for i, u := range neighbors {
			rank := ranks.of(x * weights[i])
			if held := heldBy(&keys[u]); (rank < held || rank > worst) && !d.improve(worker, base+u, rank, own) {
				break
			}
		}
	default:
		for i, u := range neighbors {
			rank := max(own, ranks.of(weights[i]))
			if held := heldBy(&keys[u]); (rank < held || rank > worst) && !d.improve(worker, base+u, rank, own) {
				break
			}
		}
	}
	return len(neighbors)
}

// heldBy is the rank that a key holds.
func heldBy(key *int64) uint64 { return uint64(atomic.LoadInt64(key) &^ waits) }

// improve gives u a better state, which came from one with its own rank. It refuses one that is better than
// that, or has no rank.
func (d *deltaStepping) improve(worker int, u uint32, rank, own uint64) bool {
	if rank < own || rank > worst {
		d.refused.Store(true)
		return false
	}
	place, key := &d.p.Acc.Keys[u], int64(rank)
	for {
		old := atomic.LoadInt64(place)
		if key >= old&^waits {
			return true
		}
		if atomic.CompareAndSwapInt64(place, old, key|waits) {
			break
		}
	}
	d.buckets.put(worker, d.scale.bucket(rank), u)
	return true
}
