package npu

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// fits refuses a plan that exceeds the budget. Where the matrix is what does not fit, it says which would.
func (p *program) fits(fixed uint64) error {
	err := p.budget.Allow(fixed+kit.SmallestChunk, "the task with its smallest chunk")
	if err == nil {
		return nil
	}
	others := fixed - p.model.Bytes + kit.SmallestChunk
	if p.budget.Allow(others, "the state") != nil {
		return err
	}
	return plugins.Errorf(plugins.KindBudget, "a matrix of %d vertices that have edges takes %d bytes beside %d for all else, of %d: the largest that fits has %d vertices",
		p.linked, p.model.Bytes, others, p.budget.Limit, p.model.Largest(p.budget.Left()-others))
}
