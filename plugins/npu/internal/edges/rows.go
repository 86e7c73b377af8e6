package edges

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/plugins/npu/model"
)

// Rows are the edges in the numbers of a compaction, chunk by chunk in the order of their numbers: sums have an order.
func (c Chunks) Rows(numbers *Compaction) model.Edges {
	return func(yield func(model.Row) bool) {
		var row model.Row
		for _, number := range slices.Sorted(maps.Keys(c)) {
			r := c[number]
			for i := range r.rowCount() {
				from, to := r.list(i)
				if from == to {
					continue
				}
				row.Target = numbers.Of(r.vertex(i))
				row.Sources, row.Weights = row.Sources[:0], row.Weights[:0]
				for _, neighbor := range r.neighbors[from:to] {
					row.Sources = append(row.Sources, numbers.Of(r.cols.Base+uint64(neighbor)))
				}
				for _, all := range r.weights {
					row.Weights = append(row.Weights, all[from:to])
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}
