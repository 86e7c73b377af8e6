package execute

import (
	"time"

	"github.com/penstock-db/penstock/internal/query/ast"
)

const profiling = ast.Profile

// profile measures the operators of a run. At each moment the clock runs for one of them: calls
// to the next operator and back switch it.
type profile struct {
	operators []OperatorCounters
	current   int // < 0: none
	since     time.Time
}

func newProfile(steps int) *profile {
	return &profile{operators: make([]OperatorCounters, steps), current: -1, since: time.Now()}
}

// enter lets the clock run for an operator, and tells for which it has.
func (p *profile) enter(operator int) int {
	now := time.Now()
	before := p.current
	if before >= 0 {
		p.operators[before].Time += now.Sub(p.since)
	}
	p.current, p.since = operator, now
	return before
}

// within is the step with the clock running for an operator.
func (p *profile) within(operator int, step emit) emit {
	return func() error {
		before := p.enter(operator)
		err := step()
		p.enter(before)
		return err
	}
}

func (p *profile) counters() []OperatorCounters { return p.operators }
