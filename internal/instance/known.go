package instance

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// namesVertices tells whether a column is of vertices.
func (r *Result) namesVertices() bool {
	return slices.ContainsFunc(r.Columns, func(c algorithms.Values) bool { return c.Type == algorithms.VertexID })
}

// checkVertices fails with an *UnknownVertexError where a column of vertices names one that is not known.
func (r *Result) checkVertices(ctx context.Context, known func(id int64) bool) error {
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

// membership tells whether an id is one of these, which it may sort. Where they are dense it looks into a table, of up
// to 8 bytes an id.
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
