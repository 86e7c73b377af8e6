// Package scc finds strongly connected components. It takes 20 bytes a vertex; in passes, 13.
package scc

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/worklist"
)

// scc finds strongly connected components in three steps. Trim: a vertex that no edge
// enters, or none leaves, is its own component, and so on without it. Forward and
// backward: what both reaches and is reached from the vertex of most ways through it is
// its component, mostly the giant one. (Fleischer, Hendrickson, Pınar 2000; McLendon et
// al. 2005.) The rest, many small ones, one worker does in linear time (pearce.go).
// Slota, Rajamanickam and Madduri, "BFS and coloring-based parallel algorithms for
// strongly connected components", 2014, found this order. All steps are linear.
type scc struct {
	procedures.Input
	ids, component []int64
}

func init() { procedures.Register("scc", newSCC) }

func newSCC(f procedures.Input) (procedures.Procedure, error) {
	if f.N >= math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "scc of %d vertices: up to %d", f.N, math.MaxInt32)
	}
	err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
		algorithms.Column{Name: "component", Type: algorithms.VertexID})
	return &scc{Input: f, ids: f.Columns["id"].Ints, component: f.Columns["component"].Ints}, err
}

// Scratch: entering, leaving and state of each vertex, and the worklist.
func (c *scc) Scratch() uint64 { return 12*uint64(c.N) + worklist.Bytes(c.N, c.Pool) }

func (c *scc) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	s := &separation{scc: c, entering: make([]int32, c.N), leaving: make([]int32, c.N), state: make([]uint32, c.N),
		list: worklist.New(c.N, c.Pool)}
	s.out, s.in = csr.Sides(c.Graph.Directed, chunks)
	for i, step := range []func(context.Context, procedures.Progress) error{s.trim, s.hub, s.rest} {
		if err := step(ctx, procedures.Progress{From: float64(i) / 3, To: float64(i+1) / 3, Tell: tell}); err != nil {
			return 0, err
		}
	}
	return csr.Entries(chunks), nil
}

// separation is a run of scc.
type separation struct {
	*scc
	out, in           csr.Index
	entering, leaving []int32  // edges from and to other vertices that no component has
	state             []uint32 // of each vertex: unassigned, reached or assigned
	list              *worklist.List
}

const (
	unassigned uint32 = iota
	reached           // from the pivot
	giant             // in the pivot's component
	alone             // a component of its own
)

// trim assigns vertices that lie on no cycle, as far as peeling off finds them.
func (s *separation) trim(ctx context.Context, p procedures.Progress) error {
	err := s.Groups(ctx, nil, p, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			s.entering[v], s.leaving[v] = others(s.in.Of(v), v), others(s.out.Of(v), v)
		}
	})
	if err != nil {
		return err
	}
	err = s.Pool.Blocks(ctx, s.N, func(worker, _, from, to int) {
		for v := from; v < to; v++ {
			if s.entering[v] == 0 || s.leaving[v] == 0 {
				s.isolate(uint32(v), &s.list.Buffers[worker])
			}
		}
	})
	if err != nil {
		return err
	}
	return s.list.Run(ctx, func(v uint32, found *worklist.Buffer) {
		if atomic.LoadInt32(&s.entering[v]) == 0 {
			s.lower(s.out, s.entering, v, found)
		}
		if atomic.LoadInt32(&s.leaving[v]) == 0 {
			s.lower(s.in, s.leaving, v, found)
		}
	})
}

// others is how many edges the lists of v have but loops.
func others(chunks []*csr.Chunk, v int) (count int32) {
	for _, r := range chunks {
		for _, u := range r.List(v) {
			if int(r.Cols.Base)+int(u) != v {
				count++
			}
		}
	}
	return count
}

// lower takes v's edges off the counts of its neighbors.
func (s *separation) lower(lists csr.Index, counts []int32, v uint32, found *worklist.Buffer) {
	for _, r := range lists.Of(int(v)) {
		base := uint32(r.Cols.Base)
		for _, local := range r.List(int(v)) {
			if u := base + local; u != v && atomic.AddInt32(&counts[u], -1) == 0 {
				s.isolate(u, found)
			}
		}
	}
}

// isolate makes v its own component, once.
func (s *separation) isolate(v uint32, found *worklist.Buffer) {
	if atomic.CompareAndSwapUint32(&s.state[v], unassigned, alone) {
		s.component[v] = s.ids[v]
		found.Add(v)
	}
}

// hub assigns the component of the pivot.
func (s *separation) hub(ctx context.Context, p procedures.Progress) error {
	pivot, ways := s.pivot()
	if ways == 0 {
		return nil
	}
	if err := s.spread(ctx, s.out, pivot, unassigned, reached); err != nil {
		return err
	}
	p.Tell(p.At(0.5))
	if err := s.spread(ctx, s.in, pivot, reached, giant); err != nil {
		return err
	}
	id := int64(math.MaxInt64)
	for v, state := range s.state {
		if state == giant {
			id = min(id, s.ids[v])
		}
	}
	for v, state := range s.state {
		if state == giant {
			s.component[v] = id
		}
	}
	return nil
}

// pivot is an unassigned vertex with the most ways through it, and how many those are.
func (s *separation) pivot() (pivot uint32, ways int64) {
	for v, state := range s.state {
		if through := int64(s.entering[v]) * int64(s.leaving[v]); state == unassigned && through > ways {
			pivot, ways = uint32(v), through
		}
	}
	return pivot, ways
}

// spread moves what paths reach from the pivot, along lists and through vertices of one
// state, into another.
func (s *separation) spread(ctx context.Context, lists csr.Index, pivot, from, to uint32) error {
	s.state[pivot] = to
	s.list.Buffers[0].Add(pivot)
	return s.list.Run(ctx, func(v uint32, found *worklist.Buffer) {
		for _, r := range lists.Of(int(v)) {
			base := uint32(r.Cols.Base)
			for _, local := range r.List(int(v)) {
				u := base + local
				if atomic.LoadUint32(&s.state[u]) == from && atomic.CompareAndSwapUint32(&s.state[u], from, to) {
					found.Add(u)
				}
			}
		}
	})
}
