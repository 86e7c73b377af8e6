package cpu

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// bottomUp does what scatter does from the other end: each row that may still improve
// looks for the best message among its neighbours, and stops at one that none beats. In
// breadth-first search, where the messages of a level are equal, that is the first
// active neighbour. (Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First
// Search", 2012.) The keys are the same as after a push, whichever is chosen.
//
// Rows must be targets as well as sources, so it is for edges that lead both ways, and
// all chunks of an iteration must take part: Iterate's, not Step's.
type bottomUp struct{ p *program }

// extent is the least and the greatest key that some vertices send.
type extent struct{ least, most int64 }

// extentBytes is what an extent takes.
const extentBytes = 16

var noKeys = extent{math.MaxInt64, math.MinInt64}

func (e extent) and(other extent) extent {
	return extent{min(e.least, other.least), max(e.most, other.most)}
}

// keysOf is the extent of the messages whose bit is set.
func keysOf(words []uint64, messages []int64) extent {
	e := noKeys
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			key := messages[i*64+bits.TrailingZeros64(word)]
			e = e.and(extent{key, key})
		}
	}
	return e
}

// A push touches the active rows' edges, at random; a pull those of rows that may still
// improve, in order. It is worth it when this part of all edges is active: little where
// a row stops at its first active neighbour, as all send the same.
const (
	pullShareEqual = 1. / 15 // Beamer's 1/α
	pullShare      = 1. / 2
)

// direction chooses the kernel of an iteration, once its messages are there.
func (p *program) direction(ctx context.Context, chunks []*csr.Chunk) (edgeKernel, error) {
	if p.bottomUp == nil {
		return p.edges, nil
	}
	p.sent = noKeys
	for _, e := range p.extents {
		p.sent = p.sent.and(e)
	}
	active, err := p.activeEdges(ctx, chunks)
	share := pullShare
	if p.sent.least == p.sent.most {
		share = pullShareEqual
	}
	if float64(active) > share*float64(csr.Entries(chunks)) {
		return p.bottomUp, err
	}
	return p.edges, err
}

// activeEdges is what a push would process.
func (p *program) activeEdges(ctx context.Context, chunks []*csr.Chunk) (uint64, error) {
	var sum atomic.Uint64
	for _, r := range chunks {
		err := p.pool.Run(ctx, r.Segments(), func(_, s int) {
			edges := 0
			p.activeRows(r, s, func(_, from, to int) { edges += to - from })
			sum.Add(uint64(edges))
		})
		if err != nil {
			return 0, err
		}
	}
	return sum.Load(), nil
}

func (k *bottomUp) name() string       { return "bottom up" }
func (k *bottomUp) size() uint64       { return uint64(parallel.BlockCount(k.p.n)) * extentBytes }
func (k *bottomUp) combine(*csr.Chunk) {}

func (k *bottomUp) step(_ int, r *csr.Chunk, s int) uint64 {
	t := targets{keys: k.p.keys[r.Rows.Base:r.Rows.End()], touched: k.p.touched, base: int(r.Rows.Base), order: k.p.order}
	messages, base := k.p.messages.Ints, int(r.Cols.Base)
	from, to, row := r.Segment(s)
	looked := 0
	for from < to {
		end := min(int(r.Offsets[row+1]), to)
		v := uint32(r.Local(row))
		if old := atomic.LoadInt64(&t.keys[v]); old > k.p.sent.least {
			key, n := leastKey(old, k.p.sent.least, k.p.active, messages, base, r.Neighbors[from:end])
			looked += n
			if key < old {
				t.lower(v, key)
			}
		}
		row, from = row+1, end
	}
	return uint64(looked)
}

// leastKey is the least of key and the messages of active neighbours, and how many of
// them it has looked at to find out. Nothing is below least.
func leastKey(key, least int64, active []uint64, messages []int64, base int, neighbors []uint32) (int64, int) {
	for i, u := range neighbors {
		v := base + int(u)
		if active[v>>6]>>(v&63)&1 == 0 || messages[v] >= key {
			continue
		}
		if key = messages[v]; key == least {
			return key, i + 1
		}
	}
	return key, len(neighbors)
}

// canPull tells whether bottomUp may stand in for the edge kernel.
func (p *program) canPull(directed bool) bool {
	_, keys := p.edges.(*scatter[int64])
	return keys && p.improves() && (!directed || p.spec.Edges == algorithms.BothSides)
}
