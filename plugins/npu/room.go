package npu

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// charge takes what a plan says from the budget. Where the matrix is what does not fit, it says
// which would.
func (s *session) charge(p *program, fixed uint64) error {
	err := s.budget.Allow(fixed+kit.SmallestChunk, "the task with its smallest chunk")
	if err == nil {
		return s.budget.Take(fixed, "the task")
	}
	others := fixed - p.model.Bytes + kit.SmallestChunk
	if s.budget.Allow(others, "the state") != nil {
		return err
	}
	return plugins.Errorf(plugins.KindBudget, "a matrix of %d vertices that have edges takes %d bytes beside %d for all else, of %d: the largest that fits has %d vertices",
		p.linked, p.model.Bytes, others, s.budget.Limit, p.model.Largest(s.budget.Left()-others))
}
