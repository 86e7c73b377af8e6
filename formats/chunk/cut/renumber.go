package cut

import "github.com/penstock-db/penstock/formats/chunk"

// Renumber has the subgraph be one of another, smaller graph: its lists are of rows, which stand there from
// rowBase on, and its columns stand there from colBase on. Only the chunk's intervals and the lists' vertices change,
// for neighbors are local to the columns. The lists of Join must all be of rows.
func (g *Subgraph) Renumber(rows chunk.Interval, rowBase, colBase uint64) {
	for i := range g.parts {
		g.parts[i].rebase = uint32(g.parts[i].meta.Rows.Base - rows.Base) // wraps around where rows begin later
	}
	g.blank.Meta.Rows = chunk.Interval{Base: rowBase, Count: rows.Count}
	g.blank.Meta.Cols.Base = colBase
}
