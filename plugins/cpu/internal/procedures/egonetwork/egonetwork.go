// Package egonetwork finds what surrounds a vertex. It takes 8 bytes a vertex, and looks at the lists of those in the
// network alone, one after the other.
package egonetwork

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// network is a task. (Freeman 1982.)
type network struct {
	procedures.Input
	ids, hops, degree, component []int64
	members                      []uint32 // the ego first, others by hops
	edges                        uint64   // looked at
}

func init() {
	procedures.Register("ego-network", func(f procedures.Input) (procedures.Procedure, error) {
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "hops", Type: algorithms.Int}, algorithms.Column{Name: "degree", Type: algorithms.Int},
			algorithms.Column{Name: "component", Type: algorithms.VertexID})
		return &network{Input: f, ids: f.Columns["id"].Ints, hops: f.Columns["hops"].Ints,
			degree: f.Columns["degree"].Ints, component: f.Columns["component"].Ints}, err
	})
}

// Scratch: the members, and those to go on from.
func (w *network) Scratch() uint64 { return 8 * uint64(w.N) }

func (w *network) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	for _, column := range [][]int64{w.hops, w.degree, w.component} {
		for v := range column {
			column[v] = algorithms.Unreached
		}
	}
	ego := slices.Index(w.ids, w.Args.Ints["source"])
	if ego < 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "there is no vertex %d", w.Args.Ints["source"])
	}
	along, _ := w.Oriented(chunks)
	w.members = make([]uint32, 0, w.N)
	if err := w.reach(ctx, along, uint32(ego)); err != nil {
		return w.edges, err
	}
	tell(1. / 3)
	either := csr.EitherWay(w.Graph.Directed, chunks)
	if err := w.count(ctx, either); err != nil {
		return w.edges, err
	}
	tell(2. / 3)
	return w.edges, w.label(ctx, either, uint32(ego))
}

// each calls do for every neighbor of v.
func (w *network) each(lists []csr.Index, v uint32, do func(u uint32)) {
	for _, index := range lists {
		for _, c := range index.Of(int(v)) {
			_, from, to := c.Row(int(v))
			for _, u := range c.Neighbors[from:to] {
				do(uint32(c.Cols.Base) + u)
			}
			w.edges += uint64(to - from)
		}
	}
}

// reach searches from the ego, as far as the radius.
func (w *network) reach(ctx context.Context, along []csr.Index, ego uint32) error {
	w.hops[ego], w.members = 0, append(w.members, ego)
	for next := 0; next < len(w.members) && ctx.Err() == nil; next++ {
		v := w.members[next]
		if w.hops[v] >= w.Args.Ints["radius"] {
			break // as all that come behind it
		}
		w.each(along, v, func(u uint32) {
			if w.hops[u] == algorithms.Unreached {
				w.hops[u], w.members = w.hops[v]+1, append(w.members, u)
			}
		})
	}
	return ctx.Err()
}

// count counts edges between members.
func (w *network) count(ctx context.Context, either []csr.Index) error {
	for _, v := range w.members {
		degree := int64(0)
		w.each(either, v, func(u uint32) {
			if w.hops[u] != algorithms.Unreached {
				degree++
			}
			if u == v && !w.Graph.Directed { // a loop stands in the list once
				degree++
			}
		})
		if w.degree[v] = degree; ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// label finds what stays connected without the ego, each from its smallest id.
func (w *network) label(ctx context.Context, either []csr.Index, ego uint32) error {
	slices.SortFunc(w.members, func(v, u uint32) int { return cmp.Compare(w.ids[v], w.ids[u]) })
	open := make([]uint32, 0, len(w.members))
	for _, first := range w.members {
		if first == ego || w.component[first] != algorithms.Unreached {
			continue
		}
		id := w.ids[first]
		w.component[first], open = id, append(open, first)
		for len(open) > 0 && ctx.Err() == nil {
			v := open[len(open)-1]
			open = open[:len(open)-1]
			w.each(either, v, func(u uint32) {
				if u != ego && w.hops[u] != algorithms.Unreached && w.component[u] == algorithms.Unreached {
					w.component[u], open = id, append(open, u)
				}
			})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
