package execute

import (
	"time"

	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// profile measures the operators of a run. At each moment the clock runs for one of them: calls
// to the next operator and back switch it.
type profile struct {
	operators []OperatorCounters
	current   int // < 0: none
	since     time.Time
	building  int // the operator that is being built
}

func newProfile(steps int) *profile {
	return &profile{operators: make([]OperatorCounters, steps), current: -1, since: time.Now()}
}

// measured builds an operator whose rows and time are counted.
func (p *profile) measured(number int, next frame.Emit, build func(next frame.Emit) frame.Emit) frame.Emit {
	above, counters := p.building, &p.operators[number]
	leave := p.within(above, next)
	p.building = number
	run := build(func() error {
		counters.Rows++
		return leave()
	})
	p.building = above
	return p.within(number, run)
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
func (p *profile) within(operator int, step frame.Emit) frame.Emit {
	return func() error {
		before := p.enter(operator)
		err := step()
		p.enter(before)
		return err
	}
}
