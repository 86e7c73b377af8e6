// Package topological runs programs whose messages may be better than what their senders hold,
// as dearest walks are: one pass over the vertices in topological order, if no cycle is in the
// way, and a search for the best walks within each component that has cycles.
//
//	search   active vertices ──depth first──▶ components, the last of the order first
//	pass     each component in order: one vertex sends once; more are corrected until
//	         nothing changes, or a cycle gains each time around   (negativecycle, cycle.go)
//
// Sums of first columns are taken in the same order, from the lists that they pull from (sums.go), or, parts of the
// graph at a time, along those that push (settledsums.go).
//
// A cycle that gains is no result: the run ends, and names it. Where the program asks for the
// last state all the same, iterations are left to do that. It takes 20 bytes and 2 bits a vertex.
package topological

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/depthfirst"
	"github.com/penstock-db/penstock/internal/negativecycle"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// order is the state of a run. After the search, correcting has its arrays but rank.
type order struct {
	p *solvers.Problem
	algorithms.Weighting
	weights int // among the program's edge columns; -1: every edge has the same
	nothing int64
	search  depthfirst.Search[csr.Index]
	order   []uint32 // what the search has found, a component after the other
	ends    []uint64 // of each component, its last vertex in order
	queued  []uint64 // correcting: of a component
	edges   uint64
}

// New is nil for a program of another shape: the best of first columns, each with a weight added or multiplied, where
// only the last state counts; and where all weights are the same and none makes a message better.
func New(p *solvers.Problem) solvers.Solver {
	w, ok := p.Code.Weighting()
	if !ok || !p.Code.OnlyLastCounts() || p.N >= math.MaxInt32/2 {
		return nil
	}
	o := &order{p: p, Weighting: w, weights: -1}
	switch {
	case w.Property != "":
		o.weights = p.Code.EdgeColumn(w.Property)
	case w.Odd(w.Same) || !w.Gains(w.Same, o.largest()):
		return nil
	}
	return o
}

// largest tells whether larger messages are better.
func (o *order) largest() bool { return o.p.Code.Spec.Reduce == algorithms.Max }

func (o *order) Name() string { return "topological order" }

func (o *order) Scratch() uint64 { return 20*uint64(o.p.N) + 16*uint64(bitmap.Words(o.p.N)) }

func (o *order) Allocate() {
	n := o.p.N
	o.search = depthfirst.Search[csr.Index]{Rank: make([]int32, n), Path: make([]uint32, 0, n), At: make([]uint32, 0, n),
		Done: make([]int32, 0, n), Component: o.found}
	o.order = make([]uint32, 0, n)
	o.ends, o.queued = make([]uint64, bitmap.Words(n)), make([]uint64, bitmap.Words(n))
}

// Solve leaves the state as it is until it is certain of the last one. It has nothing to do
// where no edge makes a message better.
func (o *order) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64,
	solved bool, err error) {
	if !o.takes(chunks) {
		return 0, false, nil
	}
	acc, first := o.p.Acc, o.p.Code.State[0]
	acc.Order.Encode(acc.Keys, first)
	o.nothing = acc.Order.Scalar(vector.Identity(o.p.Code.Spec.Reduce, algorithms.Float))
	o.edges, o.search.Lists = 0, csr.NewIndex(chunks)
	if err := o.arrange(ctx); err != nil {
		return 0, false, err
	}
	cycle, ended, err := o.pass(ctx)
	switch {
	case err != nil || !ended || cycle != nil && o.p.Code.Spec.Diverged == "":
		return o.edges, false, err
	case cycle != nil:
		o.p.Progress.Diverge(o.p.Active, cycle)
	default:
		acc.Order.Decode(first, acc.Keys)
		clear(o.p.Active)
		o.p.Progress.Conclude(0, 0)
	}
	tell(o.p.Progress.Report(), o.edges)
	return o.edges, true, nil
}

// takes tells whether an edge may make a message better than what its sender holds, and none
// multiplies by 0, which ends all gain, or by less, which turns the order of messages round.
func (o *order) takes(chunks []*csr.Chunk) bool {
	if o.weights < 0 {
		return true
	}
	weights := func(found func(w float64) bool) bool {
		return slices.ContainsFunc(chunks, func(r *csr.Chunk) bool {
			return slices.ContainsFunc(r.WeightsOf(o.weights),
				found)
		})
	}
	odd := weights(o.Odd)
	gains := weights(func(w float64) bool { return o.Gains(w, o.largest()) })
	o.p.Worsens = !odd && !gains
	return !odd && gains
}

// arrange finds the components of all that the active vertices reach.
func (o *order) arrange(ctx context.Context) error {
	clear(o.search.Rank)
	clear(o.ends)
	o.order = o.order[:0]
	o.search.Begin()
	for v := range bitmap.Members(o.p.Active) {
		if err := o.search.From(ctx, uint32(v)); err != nil {
			return err
		}
	}
	return nil
}

func (o *order) found(first uint32, others []int32) error {
	o.order = append(o.order, first)
	for _, v := range others {
		o.order = append(o.order, uint32(v))
	}
	last := len(o.order) - 1 - len(others) // the order is gone through from its end
	o.ends[last/64] |= 1 << (last % 64)
	return nil
}

// pass has each component send what it holds when all before it have. It does not end where
// correcting does not.
func (o *order) pass(ctx context.Context) (cycle []uint32, ended bool, err error) {
	n := o.p.N
	correct := negativecycle.Search[int64]{
		Keys: o.p.Acc.Keys, Nothing: o.nothing, Rank: o.search.Rank[:n], Send: o.send, Gains: o.gains,
		Ring: o.search.Path[:n], By: o.search.Done[:n], Mark: o.search.At[:n], Queued: o.queued,
	}
	for end := len(o.order); end > 0; {
		first := end - 1
		for o.ends[first/64]>>(first%64)&1 == 0 {
			first--
		}
		some := o.order[first:end]
		if len(some) > 1 || o.sendOn(some[0]) {
			if cycle, ended = correct.Component(ctx, some); cycle != nil || !ended {
				return cycle, ended, ctx.Err()
			}
			for _, v := range some {
				o.sendOn(v)
			}
		}
		end = first
		if end%4096 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
	}
	return nil, true, nil
}

// sendOn has the vertices behind v's component receive what v holds. It tells whether an edge
// from v to itself makes that better.
func (o *order) sendOn(v uint32) (loops bool) {
	keys, rank := o.p.Acc.Keys, o.search.Rank
	o.send(v, func(u uint32, key int64) {
		if key >= keys[u] {
			return
		}
		if rank[u] != rank[v] {
			keys[u] = key
		}
		loops = loops || u == v
	})
	return loops
}

// send calls to for each edge of v with the key that it brings.
func (o *order) send(v uint32, to func(u uint32, key int64)) {
	held := o.p.Acc.Keys[v]
	if held == o.nothing {
		return
	}
	x, keys := o.p.Acc.Order.ToFloat(held), o.p.Acc.Order
	for _, r := range o.search.Lists.Of(int(v)) {
		from, end := r.EdgeRange(int(v))
		base, neighbors := uint32(r.Cols.Base), r.Neighbors[from:end]
		if o.weights < 0 {
			key := keys.Float(o.Along(x, o.Same))
			for _, local := range neighbors {
				to(base+local, key)
			}
		} else {
			for i, w := range r.WeightsOf(o.weights)[from:end] {
				to(base+neighbors[i], keys.Float(o.Along(x, w)))
			}
		}
		o.edges += uint64(end - from)
	}
}
