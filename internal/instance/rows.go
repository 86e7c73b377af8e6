package instance

import (
	"context"

	"github.com/penstock-db/penstock/formats/result"
)

// knownPlaces find the vertices that a table of rows names. It fails with an *UnknownVertexError where the graph does
// not have one of them, before anything is given out. They take 12 bytes a vertex of the graph, if there are any.
func (r *Result) knownPlaces(ctx context.Context) (at places, err error) {
	if !r.namesVertices() {
		return at, nil
	}
	if at, err = r.newPlaces(ctx); err != nil {
		return at, err
	}
	return at, r.checkVertices(ctx, func(id int64) bool {
		_, known := at.of(id)
		return known
	})
}

// rowTable has the rows of a table, with vertices by the users' ids.
func (r *Result) rowTable(ctx context.Context) (table result.Table, err error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return table, err
	}
	table.Rows = uint64(r.Columns[0].Vertices())
	for _, column := range r.Columns {
		table.Columns = append(table.Columns, fileColumn(column, names))
	}
	return table, nil
}

// topRows are the first n rows of a table.
func (r *Result) topRows(ctx context.Context, n int) ([]Ranked, error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return nil, err
	}
	top := make([]Ranked, min(n, r.Columns[0].Vertices()))
	for i := range top {
		for _, column := range r.Columns {
			var cell any // nothing
			if column.Each > 0 || reached(column, i) {
				cell = userValue(column, i, names)
			}
			top[i].Row = append(top[i].Row, cell)
		}
	}
	return top, nil
}
