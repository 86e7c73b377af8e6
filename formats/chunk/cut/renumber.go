package cut

import (
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// MoveRows has the lists, which must all be of rows, be those of another, smaller graph, where rows stand from base on.
// After Compact they are those of the rows that it has left.
func (g *Subgraph) MoveRows(rows chunk.Interval, base uint64) {
	own := rows
	if g.blank.Unnamed {
		own = g.blank.Meta.Rows
	}
	for i := range g.parts {
		g.parts[i].rebase = uint32(g.parts[i].meta.Rows.Base - own.Base) // wraps around where they begin later
	}
	g.blank.Meta.Rows = chunk.Interval{Base: base + own.Base - rows.Base, Count: own.Count}
}

// MoveColumns has the columns be those of another, smaller graph, where they stand from base on. Neighbors stay as they
// are, for they are local to the columns.
func (g *Subgraph) MoveColumns(base uint64) { g.blank.Meta.Cols.Base = base }

// Vertices visits the graph's numbers of the lists' vertices, in order.
func (g *Subgraph) Vertices(visit func(v uint64)) {
	for _, p := range g.parts {
		for i := range p.lists {
			visit(p.vertex(i))
		}
	}
}

// Lists is how many there are, without the empty ones of Compact.
func (g *Subgraph) Lists() int { return g.lists }

// PackRows has the lists be, in their order, of the vertices from first on of an interval, which is of another, smaller
// graph.
func (g *Subgraph) PackRows(rows chunk.Interval, first uint64) {
	for i := range g.parts {
		p := &g.parts[i]
		p.lists, p.rebase = slices.Clone(p.lists), 0
		for k := range p.lists {
			p.lists[k].vertex = uint32(first) + uint32(p.first+k)
		}
	}
	g.blank.Meta.Rows = rows
}

// PackNeighbors has a neighbor be, of an interval that is of another, smaller graph, the vertex of its rank, of which
// that of rank zero is number first. First may be below zero: it wraps around.
func (g *Subgraph) PackNeighbors(cols chunk.Interval, rank *Rank, first uint64) {
	for i := range g.parts {
		g.parts[i].rank, g.parts[i].ranked = rank, uint32(first)
	}
	g.blank.Meta.Cols = cols
}
