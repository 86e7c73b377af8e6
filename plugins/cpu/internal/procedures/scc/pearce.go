package scc

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// pearce finds strongly connected components in one depth-first search, in linear time.
// Pearce, "A space-efficient algorithm for finding strongly connected components", 2016,
// which refines Tarjan 1972. Nothing recurses: paths may be as long as the graph.
//
// Its arrays are those that the steps before have done with.
type pearce struct {
	*separation
	rank  []int32  // 0: not visited; order of visiting, or lower; above that of all visits: assigned
	path  []uint32 // from the start of the search to where it is
	at    []uint32 // of each vertex on the path: how many of its edges are done
	done  []int32  // visited, not assigned, not on the path
	next  int32    // rank of the next vertex visited
	ended int32    // rank of the next component
}

// rest assigns what is left.
func (s *separation) rest(ctx context.Context, p procedures.Progress) error {
	e := &pearce{separation: s, rank: s.entering, done: s.leaving[:0], path: s.list.Work[:0], at: s.list.Found.Vertices[:0], next: 1, ended: math.MaxInt32}
	for v, state := range s.state {
		e.rank[v] = 0
		if state > reached {
			e.rank[v] = math.MaxInt32
		}
	}
	told := p.From
	for v := range s.N {
		if e.rank[v] == 0 {
			if err := e.search(ctx, uint32(v)); err != nil {
				return err
			}
		}
		if at := p.At(float64(v) / float64(s.N)); at-told >= 0.01 {
			told = at
			p.Tell(at)
		}
	}
	return ctx.Err()
}

// search visits everything that paths reach from the start.
func (e *pearce) search(ctx context.Context, start uint32) error {
	e.enter(start)
	for steps := 1; len(e.path) > 0; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := len(e.path) - 1
		v := e.path[top]
		if w, found := e.descend(v, &e.at[top]); found {
			e.enter(w)
			continue
		}
		e.path, e.at = e.path[:top], e.at[:top]
		e.leave(v)
		if top > 0 {
			e.lower(e.path[top-1], e.rank[v])
		}
	}
	return nil
}

func (e *pearce) enter(v uint32) {
	e.rank[v], e.state[v] = e.next, root
	e.next++
	e.path, e.at = append(e.path, v), append(e.at, 0)
}

// States of vertices in this step.
const (
	root  uint32 = iota + alone + 1 // as far as is known the first visited of its component
	inner                           // reaches one visited before
)

// lower notes that v reaches a vertex of this rank.
func (e *pearce) lower(v uint32, rank int32) {
	if rank < e.rank[v] {
		e.rank[v], e.state[v] = rank, inner
	}
}

// descend goes on with v's edges until one leads to a vertex not visited.
func (e *pearce) descend(v uint32, at *uint32) (w uint32, found bool) {
	skip := int(*at)
	for _, r := range e.out.Of(int(v)) {
		list := r.List(int(v))
		if skip >= len(list) {
			skip -= len(list)
			continue
		}
		base := uint32(r.Cols.Base)
		for _, local := range list[skip:] {
			*at++
			if w = base + local; e.rank[w] == 0 {
				return w, true
			}
			e.lower(v, e.rank[w])
		}
		skip = 0
	}
	return 0, false
}

// leave ends the visit of v. A root's component is v and what was done since.
func (e *pearce) leave(v uint32) {
	if e.state[v] != root {
		e.done = append(e.done, int32(v))
		return
	}
	first, id := len(e.done), e.ids[v]
	for first > 0 && e.rank[e.done[first-1]] >= e.rank[v] {
		first--
		id = min(id, e.ids[e.done[first]])
	}
	e.assign(v, id)
	for _, w := range e.done[first:] {
		e.assign(uint32(w), id)
	}
	e.done = e.done[:first]
	e.ended--
}

func (e *pearce) assign(v uint32, id int64) {
	e.component[v], e.rank[v] = id, e.ended
	e.next--
}
