package matrix

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Fits refuses a task of so many bytes that exceeds the budget. Where the matrix is what does not fit, it says which
// would.
func (m *Maker) Fits(fixed uint64) error {
	err := m.budget.Allow(fixed+kit.SmallestChunk, "the task with its smallest chunk")
	if err == nil {
		return nil
	}
	others := fixed - m.plan.Bytes + kit.SmallestChunk
	if m.budget.Allow(others, "the state") != nil {
		return err
	}
	return plugins.Errorf(plugins.KindBudget,
		"a matrix of %d vertices that have edges takes %d bytes beside %d for all else, of %d: the largest that fits has %d vertices",
		m.linked, m.plan.Bytes, others, m.budget.Limit, m.plan.Largest(m.budget.Left()-others))
}
