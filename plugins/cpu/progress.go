package cpu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// progress is where a run stands.
type progress struct {
	spec      *algorithms.Program
	n         int
	iteration int
	changes   []change     // of each block, by the last iteration
	places    chunk.Places // of the active rows' lists, that the next iteration needs
}

// last tells whether the program's bound ends it after this iteration.
func (p *progress) last() bool { return p.iteration+1 >= p.spec.Bound(uint64(p.n)) }

// report says where the run stands. As algorithms defines it, the first iteration is
// done even when no vertex is active.
func (p *progress) report() *plugins.Iteration {
	all := total(p.changes, p.spec.Norm)
	settled := p.n == 0
	if p.iteration > 0 {
		settled = settled || all.active == 0 || (p.spec.Norm != algorithms.NoNorm && all.by <= p.spec.Tolerance)
	}
	over := p.iteration >= p.spec.Bound(uint64(p.n))
	return &plugins.Iteration{
		Number:    p.iteration,
		Active:    all.active,
		Change:    all.by,
		Converged: over || (settled && !p.spec.Exactly),
		Places:    p.places,
	}
}

// conclude ends an iteration of a solver: so many vertices send in the next, the first column
// has changed by so much.
func (p *progress) conclude(active uint64, by float64) {
	p.set(active, by)
	p.iteration++
}

// set has the report say that so many vertices send next, after a change by so much.
func (p *progress) set(active uint64, by float64) {
	clear(p.changes)
	if len(p.changes) > 0 {
		p.changes[0] = change{active: active, by: by}
	}
}

// allActive tells whether every vertex is active.
func (p *progress) allActive() bool { return total(p.changes, p.spec.Norm).active == uint64(p.n) }
