package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// flood solves programs whose state spreads like water, breadth-first search before all:
// those who send hold one value, everybody else the identity, and the message, made of
// that value alone, is no better than it. Then whoever was reached cannot be improved,
// and an iteration is a level: all that it reaches get the same value, which is computed
// once. A bit a vertex says who was reached.
//
// A level goes top down, from a queue of the frontier, or, where edges lead both ways and
// that takes fewer of them, bottom up: whoever was not reached looks for a neighbour in the
// frontier, a bitmap then, and stops at the first. (Beamer, Asanović, Patterson,
// "Direction-Optimizing Breadth-First Search", 2012.)
type flood[T float64 | int64 | bool] struct {
	p        *program
	bothWays bool // rows are targets as well as sources
	values   []T  // the first column
	cover    csr.BlockIndex

	visited    []uint64
	next       []uint64 // bottom up: the frontier after the level; before it, that is p.active
	queue      []uint32 // top down: whom the levels have reached; the frontier is [head, tail)
	head, tail int
	queued     bool   // the frontier is in the queue, not in p.active
	size       uint64 // of the frontier
	edges      uint64 // of the frontier
	reached    uint64 // vertices, the frontier's as well
	unexplored uint64 // edges of those who are not
}

// newFlood is nil for a program of another shape. Norms are left to iterate: they are
// sums in an order that levels do not have.
func newFlood(p *program, graph plugins.Graph) solver {
	if !p.improves() || p.message == nil || p.process.Weighting != shape.Unweighted ||
		p.spec.Activity != algorithms.Changed || p.spec.Norm != algorithms.NoNorm || !p.sendsState() {
		return nil
	}
	bothWays := !graph.Directed || p.spec.Edges == algorithms.BothSides
	switch first := p.state[0]; {
	case first.Floats != nil:
		return floodOf(flood[float64]{p: p, bothWays: bothWays, values: first.Floats}, graph)
	case first.Ints != nil:
		return floodOf(flood[int64]{p: p, bothWays: bothWays, values: first.Ints}, graph)
	default:
		return floodOf(flood[bool]{p: p, bothWays: bothWays, values: first.Bools}, graph)
	}
}

// floodOf is f, as a stepper where it is certain that it need never give up.
func floodOf[T float64 | int64 | bool](f flood[T], graph plugins.Graph) solver {
	if f.p.beginsEven() && f.p.wanes() {
		return newStreamedFlood(f, graph)
	}
	return &f
}

// sendsState tells whether equal first columns make equal messages.
func (p *program) sendsState() bool {
	for _, in := range p.message.program.Inputs {
		if in.Name != "src."+p.spec.State[0].Name {
			return false
		}
	}
	return true
}

func (f *flood[T]) name() string { return "flood" }

func (f *flood[T]) scratch() uint64 {
	return 4*uint64(f.p.n) + 16*uint64(bitmap.Words(f.p.n)) + csr.BlockIndexBytes*uint64(parallel.BlockCount(f.p.n))
}

func (f *flood[T]) allocate() {
	f.queue = make([]uint32, f.p.n)
	f.visited, f.next = make([]uint64, bitmap.Words(f.p.n)), make([]uint64, bitmap.Words(f.p.n))
}

func (f *flood[T]) solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (uint64, bool, error) {
	if !f.begin(chunks) {
		return 0, false, nil
	}
	defer f.publish()
	var edges uint64
	for !f.p.report().Converged {
		key, worse := f.message(f.any())
		if !worse {
			return edges, false, nil
		}
		looked, err := f.level(ctx, key)
		if edges += looked; err != nil {
			return edges, false, err
		}
		f.p.conclude(f.size, 0)
		tell(f.p.report(), edges)
	}
	return edges, true, nil
}

// begin makes the active set the first frontier, if all in it hold one value.
func (f *flood[T]) begin(chunks []*csr.Chunk) bool {
	var first int64
	some := false
	for v := range bitmap.Members(f.p.active) {
		if key := f.key(v); !some {
			first, some = key, true
		} else if key != first {
			return false
		}
	}
	f.cover = csr.NewBlockIndex(chunks, f.p.n)
	copy(f.visited, f.p.active)
	f.tail, f.reached, f.unexplored = 0, 0, csr.Entries(chunks)
	f.enqueue()
	f.meet(f.size, f.degrees(f.queue[:f.tail]))
	return true
}

// enqueue puts the frontier that is in p.active at the end of the queue.
func (f *flood[T]) enqueue() {
	f.head = f.tail
	for v := range bitmap.Members(f.p.active) {
		f.queue[f.tail] = uint32(v)
		f.tail++
	}
	f.queued, f.size = true, uint64(f.tail-f.head)
}

// publish puts the frontier into p.active, if it is not there.
func (f *flood[T]) publish() {
	if !f.queued {
		return
	}
	clear(f.p.active)
	for _, v := range f.queue[f.head:f.tail] {
		f.p.active[v/64] |= 1 << (v % 64)
	}
	f.queued = false
}

// key is that of the state of v.
func (f *flood[T]) key(v int) int64 {
	var key [1]int64
	f.p.order.encode(key[:], f.p.state[0].Slice(v, v+1))
	return key[0]
}

// message is the key that v, and with it the whole frontier, sends, and whether it is no
// better than what v holds. Where nobody sends, v being -1, it is the identity's.
func (f *flood[T]) message(v int) (key int64, worse bool) {
	if v < 0 {
		return f.worst(), true
	}
	var sent [1]int64
	f.p.order.encode(sent[:], f.p.message.run(0, v, v+1).Output(0, 1))
	return sent[0], sent[0] >= f.key(v)
}

func (f *flood[T]) worst() int64 { return f.p.order.scalar(identity(f.p.spec.Reduce, f.p.accType)) }

// any is one of the frontier, or -1.
func (f *flood[T]) any() int {
	if f.queued && f.size > 0 {
		return int(f.queue[f.head])
	}
	if f.queued {
		return -1
	}
	for v := range bitmap.Members(f.p.active) {
		return v
	}
	return -1
}

// level gives what key stands for to all whom the frontier reaches, and makes them the
// frontier. It returns how many edges it has looked at.
func (f *flood[T]) level(ctx context.Context, key int64) (uint64, error) {
	if key >= f.worst() { // it reaches nobody
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
func (f *flood[T]) decoded(key int64) T {
	value := vector.Make(f.p.accType, 1)
	f.p.order.decode(value, []int64{key})
	return (*vector.Of[T](&value))[0]
}
