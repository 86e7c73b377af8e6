// Package acyclic goes through a directed acyclic graph once, in topological order. It takes 8 bytes a vertex.
//
//	rounds   level after level: vertices whose in-neighbors have all had their turn   (rounds.go)
//	cycle    among what is left, if something is                                      (cycle.go)
package acyclic

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/worklist"
	"github.com/penstock-db/penstock/plugins/kit"
)

// rounds visits the vertices of one level side by side, the next level when that is done. (Kahn 1962.)
type rounds struct {
	procedures.Input
	ids     []int64
	out, in csr.Index
	pending []int32        // of each vertex: edges from vertices that have not been visited
	found   worklist.Queue // vertices in topological order, those of a level in no order until it is visited
	buffers []worklist.Buffer
}

const taskVertices = 256

func newRounds(f procedures.Input, columns ...algorithms.Column) (*rounds, error) {
	if f.N > math.MaxInt32 || f.Graph.Edges > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported,
			"a topological order of %d vertices and %d edges: up to %d of each", f.N, f.Graph.Edges, math.MaxInt32)
	}
	err := f.Columns.Require(append(columns, algorithms.Column{Name: "id", Type: algorithms.Int})...)
	return &rounds{Input: f, ids: f.Columns["id"].Ints}, err
}

// Scratch: what is pending, and the order.
func (r *rounds) Scratch() uint64 { return 8*uint64(r.N) + worklist.BufferBytes(r.Pool) }

// run visits every vertex, several at a time, when all its in-neighbors have been visited. Before, it tells of all
// vertices of a level, by ids, and where in the order they begin. It fails with a *kit.CycleError.
func (r *rounds) run(ctx context.Context, chunks []*csr.Chunk, tell func(float64), visit func(v uint32, level int64),
	ordered func(level []uint32, first int)) (edges uint64, err error) {
	r.out, r.in = csr.Sides(r.Graph.Directed, chunks)
	r.pending, r.found.Vertices = make([]int32, r.N), make([]uint32, r.N)
	r.buffers = r.found.Buffers(r.Pool)
	part := procedures.Progress{From: 0, To: 0.2, Tell: tell}
	err = r.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			for _, c := range r.in.Of(v) {
				r.pending[v] += int32(len(c.List(v)))
			}
			if r.pending[v] == 0 {
				r.buffers[worker].Add(uint32(v))
			}
		}
	})
	told, level := 0.2, int64(0)
	for from, to := 0, r.flush(); from < to && err == nil; from, to = to, r.flush() {
		some := r.found.Vertices[from:to]
		slices.SortFunc(some, func(a, b uint32) int { return cmp.Compare(r.ids[a], r.ids[b]) })
		ordered(some, from)
		err = r.level(ctx, some, level, visit)
		level++
		if at := 0.2 + 0.8*float64(to)/float64(r.N); at-told >= 0.01 {
			told = at
			tell(at)
		}
	}
	if err == nil && int(r.found.Count.Load()) < r.N {
		err = &kit.CycleError{Cycle: r.cycle()}
	}
	return csr.Entries(chunks), err
}

// flush gathers what workers have found, and returns how many have been found in all.
func (r *rounds) flush() int {
	for i := range r.buffers {
		r.buffers[i].Flush()
	}
	return int(r.found.Count.Load())
}

// level visits vertices, and finds those that waited for them last.
func (r *rounds) level(ctx context.Context, some []uint32, level int64, visit func(v uint32, level int64)) error {
	tasks := (len(some) + taskVertices - 1) / taskVertices
	return r.Pool.Run(ctx, tasks, func(worker, task int) {
		for _, v := range some[task*taskVertices : min((task+1)*taskVertices, len(some))] {
			visit(v, level)
			for _, c := range r.out.Of(int(v)) {
				base := uint32(c.Cols.Base)
				for _, local := range c.List(int(v)) {
					if u := base + local; atomic.AddInt32(&r.pending[u], -1) == 0 {
						r.buffers[worker].Add(u)
					}
				}
			}
		}
	})
}
