package checkpoint

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Row is the row of memory in which a device keeps what a procedure has come to (package algorithms/mega/kept); nil:
// there is none.
func Row(p *plan.Plan, memory *arena.Arena) ([]byte, error) {
	for _, r := range p.Task.Layout.Rows {
		if r.Kept {
			return memory.Bytes(r.Range)
		}
	}
	return nil, nil
}

// keepsRow says whether there is one.
func keepsRow(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Rows, func(r algorithms.Rows) bool { return r.Kept })
}
