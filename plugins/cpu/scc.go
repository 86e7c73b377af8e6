package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// scc finds strongly connected components in three steps. Trim: a vertex that no edge
// enters, or none leaves, is its own component, and so on without it. Forward and
// backward: what both reaches and is reached from the vertex of most ways through it is
// its component, mostly the giant one. (Fleischer, Hendrickson, Pınar 2000; McLendon et
// al. 2005.) The rest, many small ones, one worker does in linear time (pearce.go).
// Slota, Rajamanickam and Madduri, "BFS and coloring-based parallel algorithms for
// strongly connected components", 2014, found this order. All steps are linear.
type scc struct {
	frame
	ids, component []int64
}

func newSCC(f frame) (procedure, error) {
	if f.n >= math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "scc of %d vertices: up to %d", f.n, math.MaxInt32)
	}
	err := f.require(algorithms.Column{Name: "id", Type: algorithms.Int}, algorithms.Column{Name: "component", Type: algorithms.VertexID})
	return &scc{frame: f, ids: f.columns["id"].Ints, component: f.columns["component"].Ints}, err
}

// scratch: entering, leaving and state of each vertex, and the worklist.
func (c *scc) scratch() uint64 { return 12*uint64(c.n) + worklistBytes(c.n, c.pool) }

func (c *scc) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	s := &separation{scc: c, entering: make([]int32, c.n), leaving: make([]int32, c.n), state: make([]uint32, c.n), list: newWorklist(c.n, c.pool)}
	s.out, s.in = sides(c.graph.Directed, chunks)
	for i, step := range []func(context.Context, progress) error{s.trim, s.hub, s.rest} {
		if err := step(ctx, progress{float64(i) / 3, float64(i+1) / 3, tell}); err != nil {
			return 0, err
		}
	}
	return entries(chunks), nil
}

// separation is a run of scc.
type separation struct {
	*scc
	out, in           stripes
	entering, leaving []int32  // edges from and to other vertices that no component has
	state             []uint32 // of each vertex: unassigned, reached or assigned
	list              *worklist
}

const (
	unassigned uint32 = iota
	reached           // from the pivot
	giant             // in the pivot's component
	alone             // a component of its own
)

// trim assigns vertices that lie on no cycle, as far as peeling off finds them.
func (s *separation) trim(ctx context.Context, p progress) error {
	err := s.groups(ctx, nil, p, func(_, from, to int, _ []*resident) {
		for v := from; v < to; v++ {
			s.entering[v], s.leaving[v] = others(s.in.of(v), v), others(s.out.of(v), v)
		}
	})
	if err != nil {
		return err
	}
	err = s.pool.blocks(ctx, s.n, func(worker, _, from, to int) {
		for v := from; v < to; v++ {
			if s.entering[v] == 0 || s.leaving[v] == 0 {
				s.isolate(uint32(v), &s.list.workers[worker])
			}
		}
	})
	if err != nil {
		return err
	}
	return s.list.run(ctx, func(v uint32, found *finds) {
		if atomic.LoadInt32(&s.entering[v]) == 0 {
			s.lower(s.out, s.entering, v, found)
		}
		if atomic.LoadInt32(&s.leaving[v]) == 0 {
			s.lower(s.in, s.leaving, v, found)
		}
	})
}

// others is how many edges the lists of v have but loops.
func others(chunks []*resident, v int) (count int32) {
	for _, r := range chunks {
		for _, u := range r.list(v) {
			if int(r.cols.Base)+int(u) != v {
				count++
			}
		}
	}
	return count
}

// lower takes v's edges off the counts of its neighbours.
func (s *separation) lower(lists stripes, counts []int32, v uint32, found *finds) {
	for _, r := range lists.of(int(v)) {
		base := uint32(r.cols.Base)
		for _, local := range r.list(int(v)) {
			if u := base + local; u != v && atomic.AddInt32(&counts[u], -1) == 0 {
				s.isolate(u, found)
			}
		}
	}
}

// isolate makes v its own component, once.
func (s *separation) isolate(v uint32, found *finds) {
	if atomic.CompareAndSwapUint32(&s.state[v], unassigned, alone) {
		s.component[v] = s.ids[v]
		found.add(v)
	}
}

// hub assigns the component of the pivot.
func (s *separation) hub(ctx context.Context, p progress) error {
	pivot, ways := s.pivot()
	if ways == 0 {
		return nil
	}
	if err := s.spread(ctx, s.out, pivot, unassigned, reached); err != nil {
		return err
	}
	p.tell(p.at(0.5))
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
func (s *separation) spread(ctx context.Context, lists stripes, pivot, from, to uint32) error {
	s.state[pivot] = to
	s.list.workers[0].add(pivot)
	return s.list.run(ctx, func(v uint32, found *finds) {
		for _, r := range lists.of(int(v)) {
			base := uint32(r.cols.Base)
			for _, local := range r.list(int(v)) {
				u := base + local
				if atomic.LoadUint32(&s.state[u]) == from && atomic.CompareAndSwapUint32(&s.state[u], from, to) {
					found.add(u)
				}
			}
		}
	})
}
