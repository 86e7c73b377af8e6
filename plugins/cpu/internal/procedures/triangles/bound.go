package triangles

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/structure"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// bound leaves out vertices of many edges, with all their triangles.
type bound struct {
	out, in []int64 // degrees
	most    int64   // edges of a vertex that is not left out
}

// leftOut is the count at a vertex that is left out.
const leftOut = -1

func newBound(f procedures.Input) bound {
	b := bound{out: f.Columns["out_degree"].Ints, most: structure.MaxDegree(f.Args)}
	if f.Graph.Directed {
		b.in = f.Columns["in_degree"].Ints
	}
	return b
}

// bounds tells whether there is a bound.
func (b bound) bounds() bool { return b.most < math.MaxInt64 }

func (b bound) excludes(v int) bool {
	edges := b.out[v]
	if b.in != nil {
		edges += b.in[v]
	}
	return edges > b.most
}

// triangles are those at a vertex, by how many edges are opposite it.
func (b bound) triangles(v int, opposite int64) int64 {
	if b.excludes(v) {
		return leftOut
	}
	return opposite / 2
}
