package instance

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// checkVertices fails with an *UnknownVertexError where a column of vertices names one that the graph does not have. It
// takes up to 16 bytes a vertex of the graph, while it looks.
func (r *Result) checkVertices(ctx context.Context) error {
	ids := make([]int64, r.Report.Vertices)
	if err := r.subject.FillIDs(ctx, ids); err != nil {
		return err
	}
	known := membership(ids)
	for _, column := range r.Columns {
		if column.Type != algorithms.VertexID {
			continue
		}
		for _, id := range column.Ints {
			if id != algorithms.Unreached && !known(id) {
				return &UnknownVertexError{r.Report.Algorithm, id}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// membership tells whether an id is one of these, which it may sort. Where they are dense it looks into a table.
func membership(ids []int64) func(id int64) bool {
	if len(ids) == 0 {
		return func(int64) bool { return false }
	}
	least, most := slices.Min(ids), slices.Max(ids)
	if span := uint64(most) - uint64(least); span < 8*uint64(len(ids)) {
		has := make([]bool, span+1)
		for _, id := range ids {
			has[id-least] = true
		}
		return func(id int64) bool { return least <= id && id <= most && has[id-least] }
	}
	slices.Sort(ids)
	return func(id int64) bool {
		_, found := slices.BinarySearch(ids, id)
		return found
	}
}
