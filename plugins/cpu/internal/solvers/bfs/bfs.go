// Package bfs runs programs of the shape of breadth-first search level by level, top down or
// bottom up (level.go, topdown.go). Streamed, a level is an iteration, and asks for the chunks
// of unvisited vertices once these are fewer than the frontier (streamed.go), or, where lists
// alone are sent, for prefixes of their lists (prefixes.go). Of several sessions each reaches what its own edges reach
// (joining.go). It takes 5 bytes a vertex.
package bfs

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// levels solves programs of the shape of breadth-first search: all senders hold one value, all
// other vertices the identity, and the message, made of that value alone, is no better than
// it. A vertex that was reached cannot be improved then, and an iteration is a level: all
// that it reaches get the same value, which is computed once. A bitmap has the vertices
// that were reached.
//
// A level goes top down, from a queue of the frontier, or, where edges lead both ways and
// that takes fewer of them, bottom up: each unvisited vertex looks for a neighbor in the
// frontier, a bitmap then, and stops at the first. (Beamer, Asanović, Patterson,
// "Direction-Optimizing Breadth-First Search", 2012.)
type levels[T float64 | int64 | bool] struct {
	p        *solvers.Problem
	bothWays bool // rows are targets as well as sources
	values   []T  // the first column
	cover    csr.BlockIndex

	visited    []uint64
	next       []uint64 // bottom up: the frontier after the level; before it, that is p.Active
	queue      []uint32 // top down: vertices in the order in which levels reach them; the frontier is [head, tail)
	head, tail int
	queued     bool   // the frontier is in the queue, not in p.Active
	size       uint64 // of the frontier
	edges      uint64 // of the frontier
	reached    uint64 // vertices, the frontier's as well
	unexplored uint64 // edges of the other vertices
}

// New is nil for a program of another shape. Norms are left to iterate: they are
// sums in an order that levels do not have.
func New(p *solvers.Problem) solvers.Solver {
	if !p.Code.Improves() || p.Code.Message == nil || p.Code.Process.Weighting != shape.Unweighted ||
		p.Code.Spec.Activity != algorithms.Changed || p.Code.Spec.Norm != algorithms.NoNorm || !p.Code.SendsStateAlone() {
		return nil
	}
	bothWays := !p.Graph.Directed || p.Code.Spec.Edges == algorithms.BothSides
	switch first := p.Code.State[0]; {
	case first.Floats != nil:
		return levelsOf(levels[float64]{p: p, bothWays: bothWays, values: first.Floats})
	case first.Ints != nil:
		return levelsOf(levels[int64]{p: p, bothWays: bothWays, values: first.Ints})
	default:
		return levelsOf(levels[bool]{p: p, bothWays: bothWays, values: first.Bools})
	}
}

// levelsOf is f, as a stepper where it is certain that it need never give up.
func levelsOf[T float64 | int64 | bool](f levels[T]) solvers.Solver {
	if f.p.Code.StartsUniform() && f.p.Code.NeverImproves() {
		return newStreamed(f)
	}
	return &f
}

func (f *levels[T]) Name() string { return "breadth-first search" }

func (f *levels[T]) Scratch() uint64 {
	return 4*uint64(f.p.N) + 16*uint64(bitmap.Words(f.p.N)) + csr.BlockIndexBytes*uint64(parallel.BlockCount(f.p.N))
}

func (f *levels[T]) Allocate() {
	f.queue = make([]uint32, f.p.N)
	f.visited, f.next = make([]uint64, bitmap.Words(f.p.N)), make([]uint64, bitmap.Words(f.p.N))
}

func (f *levels[T]) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (uint64,
	bool, error) {
	if !f.begin(chunks) {
		return 0, false, nil
	}
	defer f.publish()
	var edges uint64
	lap := solvers.LapOf(f.p)
	for !f.p.Progress.Report().Converged {
		for again := true; again; again = lap.GoesOn() && f.size > 0 {
			key, worse := f.message(f.any())
			if !worse {
				return edges, false, nil
			}
			looked, err := f.level(ctx, key)
			if edges += looked; err != nil {
				return edges, false, err
			}
		}
		f.p.Progress.Conclude(f.size, 0)
		tell(f.p.Progress.Report(), edges)
	}
	return edges, true, nil
}

// begin makes the active set the first frontier, if all in it hold one value.
func (f *levels[T]) begin(chunks []*csr.Chunk) bool {
	var first int64
	some := false
	for v := range bitmap.Members(f.p.Active) {
		if key := f.key(v); !some {
			first, some = key, true
		} else if key != first {
			return false
		}
	}
	f.cover = csr.NewBlockIndex(chunks, f.p.N)
	copy(f.visited, f.p.Active)
	f.tail, f.reached, f.unexplored = 0, 0, csr.Entries(chunks)
	f.enqueue()
	f.setFrontier(f.size, f.degrees(f.queue[:f.tail]))
	return true
}

// enqueue puts the frontier that is in p.Active at the end of the queue.
func (f *levels[T]) enqueue() {
	f.head = f.tail
	for v := range bitmap.Members(f.p.Active) {
		f.queue[f.tail] = uint32(v)
		f.tail++
	}
	f.queued, f.size = true, uint64(f.tail-f.head)
}

// publish puts the frontier into p.Active, if it is not there.
func (f *levels[T]) publish() {
	if !f.queued {
		return
	}
	clear(f.p.Active)
	for _, v := range f.queue[f.head:f.tail] {
		f.p.Active[v/64] |= 1 << (v % 64)
	}
	f.queued = false
}

// key is that of the state of v.
func (f *levels[T]) key(v int) int64 {
	var key [1]int64
	f.p.Acc.Order.Encode(key[:], f.p.Code.State[0].Slice(v, v+1))
	return key[0]
}

// message is the key that v, and with it the whole frontier, sends, and whether it is no
// better than what v holds. Where no vertex sends, v being -1, it is the identity's.
func (f *levels[T]) message(v int) (key int64, worse bool) {
	if v < 0 {
		return f.worst(), true
	}
	var sent [1]int64
	f.p.Acc.Order.Encode(sent[:], f.p.Code.Message.Run(0, v, v+1).Output(0, 1))
	return sent[0], sent[0] >= f.key(v)
}

func (f *levels[T]) worst() int64 {
	return f.p.Acc.Order.Scalar(vector.Identity(f.p.Code.Spec.Reduce, f.p.Code.AccType))
}

// any is one of the frontier, or -1.
func (f *levels[T]) any() int {
	if f.queued && f.size > 0 {
		return int(f.queue[f.head])
	}
	if f.queued {
		return -1
	}
	for v := range bitmap.Members(f.p.Active) {
		return v
	}
	return -1
}

// level gives what key stands for to all vertices that the frontier reaches, and makes them the
// frontier. It returns how many edges it has looked at.
func (f *levels[T]) level(ctx context.Context, key int64) (uint64, error) {
	if key >= f.worst() { // it improves no vertex
		f.head, f.queued, f.size = f.tail, true, 0
		return 0, nil
	}
	way := f.topDown
	if f.goesUp() {
		way = f.bottomUp
	}
	return way(ctx, f.decoded(key))
}

// decoded is the value that a key stands for.
func (f *levels[T]) decoded(key int64) T {
	var values [1]T
	var column vector.Column
	*vector.Of[T](&column) = values[:]
	f.p.Acc.Order.Decode(column, []int64{key})
	return values[0]
}
