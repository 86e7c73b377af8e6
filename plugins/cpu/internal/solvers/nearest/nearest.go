// Package nearest settles programs in the order of values, the best first, as Dijkstra's algorithm does: where no
// message is better than what its sender has, a vertex that all its better neighbors have reached sends once.
//
// Who is active and has no lists here does not hold up the others. Where values come in waves it would make no
// difference, as lists come before the wave. Of widest paths, whose front is ragged, each shipment would have a few
// edges looked at, and give way (docs/experiments.md, "A ragged front").
//
//	active vertices ──▶ heap ──least key──▶ lists of one vertex ──relax──▶ state, heap
//
// A command takes as long as what is active and what is sent, but for a look at a word for 64 vertices. It works in the
// state alone, on one worker: there are no accumulators.
package nearest

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/radixheap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Nearest is such a program and the chunks that it has.
type Nearest struct {
	p       *solvers.Problem
	order   ordering.Order
	state   vector.Column
	by      vector.Scalar // what a message is more than its sender's state
	adds    bool          // it is more
	weights int           // among the program's edge columns; -1: none

	messages *kernels.PerEdge // nil: a message is as the two lines above say

	index *csr.WordIndex
	heap  *radixheap.Heap // the active vertices that may send
	lists []csr.List      // of one vertex

	complete []uint64 // who may send, in a Settle
}

// New is nil for programs of another shape: a message must be no better than what its sender has, and of those who send
// first all must have the same value, and there must be others. Where a message is what its sender has, or a
// constant worse, and what the edge makes of that, it is not evaluated in general.
func New(p *solvers.Problem) *Nearest {
	code, spec := p.Code, p.Code.Spec
	if !p.Mode.Nearest || !p.Mode.Settling || p.Mode.Partial || p.N >= math.MaxUint32 || !code.OnlyLastCounts() ||
		spec.Order != algorithms.Monotone || spec.State[0].Type == algorithms.Bool ||
		code.AccType != spec.State[0].Type || !code.StartsUniform() {
		return nil
	}
	s := &Nearest{p: p, order: ordering.Of(spec.Reduce), state: code.State[0]}
	if by, adds, ok := code.Worsening(); ok && code.Process.Fused {
		s.by, s.adds, s.weights = by, adds, code.EdgeColumn(code.Process.EdgeColumn)
		return s
	}
	if !code.Steps.Known {
		return nil
	}
	s.messages = kernels.NewPerEdge(code, code.PerEdge)
	return s
}

// Name is the kernel's.
func (s *Nearest) Name() string { return "nearest first" }

// Scratch is what Allocate takes.
func (s *Nearest) Scratch() uint64 {
	bytes := csr.WordIndexBytes(s.p.N) + radixheap.Bytes(s.p.N)
	if s.messages != nil {
		bytes += s.messages.Size()
	}
	return bytes
}

// Allocate makes index and heap, which are empty.
func (s *Nearest) Allocate() {
	s.index, s.heap = csr.NewWordIndex(s.p.N), radixheap.New(s.p.N, s.order.KeysOf(s.state))
}

// Hold has the lists of a chunk at hand.
func (s *Nearest) Hold(r *csr.Chunk) { s.index.Add(r) }

// Drop forgets a chunk.
func (s *Nearest) Drop(r *csr.Chunk) { s.index.Remove(r) }

// toldApart is after how many vertices it looks whether it is to stop.
const toldApart = 256

// Settle lets the active vertices of complete send, in the order of their values, and with them those of complete that
// are reached. No more send than there are vertices, which is enough where each does so once.
func (s *Nearest) Settle(ctx context.Context, complete []uint64) (edges uint64, err error) {
	s.begin(complete)
	for n := 1; n <= s.p.N; n++ {
		v, ok := s.heap.Take()
		if !ok {
			break
		}
		edges += s.send(v)
		if n%toldApart == 0 && ctx.Err() != nil {
			return edges, ctx.Err()
		}
	}
	s.p.Progress.Conclude(bitmap.Count(s.p.Active), 0)
	return edges, nil
}

// begin has the active vertices of complete wait.
func (s *Nearest) begin(complete []uint64) {
	s.complete = complete
	first := int64(math.MaxInt64)
	for v := range bitmap.Common(s.p.Active, complete) {
		first = min(first, s.order.At(&s.state, v))
	}
	s.heap.Start(first)
	for v := range bitmap.Common(s.p.Active, complete) {
		s.heap.Put(uint32(v))
	}
}

// send lets a vertex send along all its lists.
func (s *Nearest) send(v uint32) (edges uint64) {
	s.p.Active[v/64] &^= 1 << (v % 64)
	s.lists = s.index.Lists(v, s.lists[:0])
	for _, l := range s.lists {
		s.relax(v, l)
		edges += uint64(l.To - l.From)
	}
	return edges
}
