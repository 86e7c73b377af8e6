package network

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// scratchBytes bounds what the operators of a stage bring for a block, as long as one row does not take more. Each
// stage keeps that, for each is a session of the runtime.
const scratchBytes = 64 << 20

// looks says whether a stage looks at edges.
func looks(stage *dataflow.Stage) bool {
	for _, w := range stage.Waves {
		if len(w.Gathers) > 0 {
			return true
		}
	}
	return false
}

// takes is what a stage takes for a block: what its operators bring, and the factors of dropouts.
func takes(m *lowering.Model) uint64 {
	bytes := m.Scratch
	for _, o := range m.Inputs {
		if o.Kind == lowering.Factors || o.Kind == lowering.EdgeFactors {
			bytes += o.Bytes()
		}
	}
	return bytes
}

// blockOf chooses the rows of a stage's blocks, so that they take no more than limit: all, or equal parts of them, or
// one. What they take grows with the rows by the same for each.
func blockOf(stage *dataflow.Stage, size lowering.Size, given func(*dataflow.Value) bool, limit uint64) (rows int,
	bytes uint64, err error) {
	of := func(rows int) (bytes uint64) {
		size.Rows = rows
		m, failed := lowering.Stage(stage, size, given)
		if failed != nil {
			err = failed
			return 0
		}
		return takes(m)
	}
	n := size.Vertices
	if all := of(max(n, 1)); err != nil || all <= limit || n <= 3 {
		return n, all, err
	}
	two := of(2)
	each := of(3) - two
	rows = 1
	if least := two - min(2*each, two); least+each < limit && each > 0 {
		rows = int((limit - least) / each)
	}
	blocks := (n + rows - 1) / rows
	rows = (n + blocks - 1) / blocks
	return rows, of(rows), err
}

// fits refuses a network that takes more than the budget has, and says how large a graph would fit: pairs grow with the
// square of its vertices, all else with their number.
func (t *Task) fits(budget *kit.Budget, fixed, pairs uint64) error {
	err := budget.Allow(fixed+kit.SmallestChunk, "the network with its smallest chunk")
	if err == nil {
		return nil
	}
	if pairs == 0 {
		return err
	}
	n := float64(t.n)
	square, each := float64(pairs)/(n*n), float64(fixed-pairs)/n
	most := (math.Sqrt(each*each+4*square*float64(budget.Left())) - each) / (2 * square)
	return plugins.Errorf(plugins.KindBudget, "the edges of %d vertices as matrices take %d bytes beside %d for all else, "+
		"of %d: the largest graph that fits has about %d vertices; the devices cpu and cpu+npu take lists of edges",
		t.n, pairs, fixed-pairs, budget.Limit, int(most))
}
