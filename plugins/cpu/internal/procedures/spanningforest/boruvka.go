// Package spanningforest finds the lightest, or heaviest, forest that joins what edges join. It takes 60 bytes a
// vertex.
package spanningforest

import (
	"cmp"
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// forest grows trees: in each round every tree takes the first edge that leads out of it, so that there are half as
// many, at most. (Borůvka 1926.) Workers look at vertices side by side; trees are joined by one.
type forest struct {
	procedures.Input
	ids, parent []int64
	weight      []float64
	maximum     bool
	sides       []csr.Index // whose lists have all edges of a vertex

	tree  []uint32 // union-find of vertices; between rounds, the representative of each
	open  []uint32 // vertices that have an edge out of their tree
	best  []edge   // of each vertex that is open: the first of these edges
	first []uint32 // of each representative: the vertex of its tree with the first edge
	edges []edge   // of the forest
}

// edge joins two vertices.
type edge struct {
	weight   float64
	from, to uint32
}

const (
	vertexBytes = 4 + 4 + 16 + 4 + 16 + rootingBytes
	none        = math.MaxUint32
)

func init() {
	procedures.Register("spanning-forest", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "a forest of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "parent", Type: algorithms.VertexID},
			algorithms.Column{Name: "weight", Type: algorithms.Float})
		return &forest{Input: f, ids: f.Columns["id"].Ints, parent: f.Columns["parent"].Ints,
			weight: f.Columns["weight"].Floats, maximum: f.Args.Strings["objective"] == "maximum"}, err
	})
}

// Scratch is what is known of vertices, and the forest.
func (f *forest) Scratch() uint64 { return vertexBytes * uint64(f.N) }

func (f *forest) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	f.sides = csr.EitherWay(f.Graph.Directed, chunks)
	f.tree, f.open, f.best = make([]uint32, f.N), make([]uint32, f.N), make([]edge, f.N)
	f.first, f.edges = make([]uint32, f.N), make([]edge, 0, f.N)
	for v := range f.tree {
		f.tree[v], f.open[v], f.first[v] = uint32(v), uint32(v), none
	}
	looked, left := uint64(0), 1.0
	for len(f.open) > 0 {
		if err := f.look(ctx); err != nil {
			return 0, err
		}
		f.join()
		looked += csr.Entries(chunks)
		left /= 2
		tell(0.9 * (1 - left))
	}
	return looked, f.root(ctx)
}

// look finds the first edge out of its tree of each vertex. Those that have none are open no more.
func (f *forest) look(ctx context.Context) error {
	var wrong atomic.Int64
	wrong.Store(-1)
	err := f.Pool.Blocks(ctx, len(f.open), func(_, _, from, to int) {
		for _, v := range f.open[from:to] {
			if !f.choose(v) {
				wrong.Store(int64(v))
			}
		}
	})
	if v := wrong.Load(); v >= 0 {
		return plugins.Errorf(plugins.KindInvalid,
			"an edge of vertex %d weighs NaN; a spanning forest needs weights that are numbers", f.ids[v])
	}
	kept := f.open[:0]
	for _, v := range f.open {
		if f.best[v].to != none {
			kept = append(kept, v)
		}
	}
	f.open = kept
	return err
}

// choose finds the first edge of v, unless a weight is no number.
func (f *forest) choose(v uint32) bool {
	best := edge{from: v, to: none}
	for _, side := range f.sides {
		for _, c := range side.Of(int(v)) {
			from, to := c.EdgeRange(int(v))
			for at := from; at < to; at++ {
				e := edge{weight: 1, from: v, to: uint32(c.Cols.Base) + c.Neighbors[at]}
				if len(c.Weights) > 0 {
					e.weight = c.Weights[0][at]
				}
				if e.weight != e.weight {
					return false
				}
				if f.tree[e.to] != f.tree[v] && (best.to == none || f.compare(e, best) < 0) {
					best = e
				}
			}
		}
	}
	f.best[v] = best
	return true
}

// compare orders edges as trees take them: no two are the same but where parallel ones weigh the same.
func (f *forest) compare(a, b edge) int {
	order := cmp.Compare(a.weight, b.weight)
	if f.maximum {
		order = -order
	}
	if order != 0 {
		return order
	}
	x, y := f.ids[a.from], f.ids[a.to]
	z, w := f.ids[b.from], f.ids[b.to]
	return cmp.Or(cmp.Compare(min(x, y), min(z, w)), cmp.Compare(max(x, y), max(z, w)))
}

// join takes the first edge of each tree into the forest, but once where it is that of both trees that it joins.
func (f *forest) join() {
	for _, v := range f.open {
		t := f.tree[v]
		if f.first[t] == none || f.compare(f.best[v], f.best[f.first[t]]) < 0 {
			f.first[t] = v
		}
	}
	for t, v := range f.first {
		if v == none {
			continue
		}
		f.first[t] = none
		e := f.best[v]
		if a, b := f.find(e.from), f.find(e.to); a != b {
			f.tree[max(a, b)] = min(a, b)
			f.edges = append(f.edges, e)
		}
	}
	for v := range f.tree {
		f.tree[v] = f.find(uint32(v))
	}
}

// find is the representative of v's tree.
func (f *forest) find(v uint32) uint32 {
	for f.tree[v] != v {
		f.tree[v] = f.tree[f.tree[v]]
		v = f.tree[v]
	}
	return v
}
