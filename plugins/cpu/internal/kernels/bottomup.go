package kernels

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// BottomUp does what scatter does from the other end: each row that may still improve
// looks for the best message among its neighbors, and stops at one that none beats. In
// breadth-first search, where the messages of a level are equal, that is the first
// active neighbor. (Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First
// Search", 2012.) The keys are the same as after a push, whichever is chosen.
//
// Rows must be targets as well as sources, so it is for edges that lead both ways, and
// all chunks of an iteration must take part: Iterate's, not Step's.
type BottomUp struct {
	pool     parallel.Pool
	frontier *Frontier
	acc      *Accumulators
	messages *[]int64 // keys
	Extents  []Extent // of each block, the keys it sends
	sent     Extent   // of all
}

// Extent is the least and the greatest key that some vertices send.
type Extent struct{ least, most int64 }

// extentBytes is what an extent takes.
const extentBytes = 16

var NoKeys = Extent{math.MaxInt64, math.MinInt64}

func (e Extent) And(other Extent) Extent {
	return Extent{min(e.least, other.least), max(e.most, other.most)}
}

// KeysOf is the extent of the messages whose bit is set.
func KeysOf(words []uint64, messages []int64) Extent {
	e := NoKeys
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			key := messages[i*64+bits.TrailingZeros64(word)]
			e = e.And(Extent{key, key})
		}
	}
	return e
}

// A push touches the active rows' edges, at random; a pull those of rows that may still
// improve, in order. It is worth it when this part of all edges is active: little where
// a row stops at its first active neighbor, as all send the same.
const (
	pullShareEqual = 1. / 15 // Beamer's 1/α
	pullShare      = 1. / 2
)

// Beats tells whether bottom up is worth more than a push, once an iteration's messages are there.
func (k *BottomUp) Beats(ctx context.Context, chunks []*csr.Chunk) (bool, error) {
	k.sent = NoKeys
	for _, e := range k.Extents {
		k.sent = k.sent.And(e)
	}
	active, err := k.pushedEdges(ctx, chunks)
	share := pullShare
	if k.sent.least == k.sent.most {
		share = pullShareEqual
	}
	return float64(active) > share*float64(csr.Entries(chunks)), err
}

// pushedEdges is what a push would process.
func (k *BottomUp) pushedEdges(ctx context.Context, chunks []*csr.Chunk) (uint64, error) {
	var sum atomic.Uint64
	for _, r := range chunks {
		err := k.pool.Run(ctx, r.Segments(), func(_, s int) { sum.Add(uint64(k.frontier.edges(r, s))) })
		if err != nil {
			return 0, err
		}
	}
	return sum.Load(), nil
}

func (k *BottomUp) Name() string       { return "bottom up" }
func (k *BottomUp) Size() uint64       { return uint64(parallel.BlockCount(k.acc.N)) * extentBytes }
func (k *BottomUp) combine(*csr.Chunk) {}

func (k *BottomUp) step(_ int, r *csr.Chunk, s int) uint64 {
	t := targets{keys: k.acc.Keys[r.Rows.Base:r.Rows.End()], touched: k.acc.Touched, base: int(r.Rows.Base),
		order: k.acc.Order}
	messages, base := *k.messages, int(r.Cols.Base)
	from, to, row := r.Segment(s)
	looked := 0
	for from < to {
		end := min(int(r.Offsets[row+1]), to)
		v := uint32(r.Local(row))
		if old := atomic.LoadInt64(&t.keys[v]); old > k.sent.least {
			key, n := leastKey(old, k.sent.least, k.frontier.Senders, messages, base, r.Neighbors[from:end])
			looked += n
			if key < old {
				t.lower(v, key)
			}
		}
		row, from = row+1, end
	}
	return uint64(looked)
}

// leastKey is the least of key and the messages of active neighbors, and how many of
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
