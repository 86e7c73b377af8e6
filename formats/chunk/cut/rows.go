package cut

import (
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Rows takes the lists of the vertices in an interval of the graph. Where sums is true, and something is taken, it
// begins with the last multiple of chunk.SumEdges that is not behind these lists, so that what is added up along the
// rows has the same bits as with the whole chunk: others says how many edges of vertices before the interval that
// brings along.
func Rows(c *chunk.Chunk, of chunk.Interval, sums bool) (s Selection, others int) {
	s = nothing(c)
	t, offsets := topologyOf(c), c.Offsets()
	row, end := rowOf(c, of.Base), rowOf(c, of.End())
	own, to := offsets[row], offsets[max(row, end)]
	if own == to {
		return s, 0
	}
	from := own
	if sums {
		from = own / chunk.SumEdges * chunk.SumEdges
		row = sort.Search(c.Rows(), func(i int) bool { return offsets[i+1] > from })
	}
	for ; row < end; row++ {
		l := t.list(row, chunk.Places{})
		if l.from = max(l.from, from); l.from < l.to {
			s.push(l)
		}
	}
	return s, int(own - from)
}

// rowOf is the first row of a chunk whose vertex is not below one of the graph.
func rowOf(c *chunk.Chunk, vertex uint64) int {
	base := c.Meta().Rows.Base
	if vertex <= base {
		return 0
	}
	if all := c.Vertices(); all != nil {
		return sort.Search(len(all), func(i int) bool { return uint64(all[i]) >= vertex-base })
	}
	return int(min(vertex-base, uint64(c.Rows())))
}
