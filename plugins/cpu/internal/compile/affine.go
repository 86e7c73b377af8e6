package compile

import (
	"math"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Affine is an Apply of the form (acc·weight + inside)·scale + outside, as accumulative
// programs have it: one loop for all of it. What a program leaves out is 1 or -0.0, which
// change no bit.
type Affine struct{ weight, inside, scale, outside *term }

// newAffine is nil where the Apply of p has another form.
func newAffine(p *Code, s evaluation.Scope) (*Affine, error) {
	apply := p.soleApply()
	if apply == nil {
		return nil, nil
	}
	rest, outside := p.plus(apply, apply.GetExpr())
	rest, scale := p.times(apply, rest)
	rest, inside := p.plus(apply, rest)
	rest, weight := p.times(apply, rest)
	if inside == nil && weight == nil {
		weight, scale = scale, nil
	}
	if vector.Name(apply, rest) != "acc" || !uniform(inside) || !uniform(scale) {
		return nil, nil
	}
	var err error
	a := &Affine{}
	for _, t := range []struct {
		place   **term
		e       *exprpb.CheckedExpr
		neutral float64
	}{{&a.weight, weight, 1}, {&a.inside, inside, negativeZero}, {&a.scale, scale, 1},
		{&a.outside, outside, negativeZero}} {
		if *t.place, err = p.newTerm(s, t.e, t.neutral); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Adds tells whether the first column becomes what arrives and a term of the vertex's own.
func (a *Affine) Adds() bool {
	return a != nil && a.weight.is(1) && a.scale.is(1) && a.inside.is(0)
}

// Added is that term, once the code has been filled and settled.
func (a *Affine) Added(v int) float64 { return a.outside.from(v).at(0) }

// is tells whether t is this number whatever the graph.
func (t *term) is(x float64) bool { return t.rule == nil && t.values[0] == x }

var negativeZero = math.Copysign(0, -1)

// sendsSums tells whether p sums doubles, and every vertex always sends.
func (p *Code) sendsSums() bool {
	return p.Spec.Reduce == algorithms.Sum && p.AccType == algorithms.Float && p.Spec.Activity == algorithms.Always
}

// soleApply is the Apply of the first column, doubles, if no other column has one; or nil.
func (p *Code) soleApply() *exprpb.CheckedExpr {
	first := p.Spec.State[0]
	if !p.sendsSums() || first.Type != algorithms.Float || first.Apply.Source == "" {
		return nil
	}
	for _, s := range p.Spec.State[1:] {
		if s.Apply.Source != "" {
			return nil
		}
	}
	return shape.Normal(first.Apply.Checked)
}

// Apply makes state what acc says, empties acc, and returns by how much state has changed.
func (a *Affine) Apply(norm algorithms.Norm, acc, state []float64, from int) (by float64) {
	weight, outside := a.weight.from(from), a.outside.from(from)
	inside, scale := a.inside.values[0], a.scale.values[0]
	state = state[:len(acc)]
	for i, sum := range acc {
		x, moved := (sum*weight.at(i)+inside)*scale+outside.at(i), 0.0
		if x != state[i] { // equal infinities have not moved
			moved = math.Abs(x - state[i])
		}
		if norm == algorithms.L1 {
			by += moved
		} else if norm == algorithms.LInf && !(moved <= by) {
			by = moved
		}
		state[i], acc[i] = x, 0
	}
	return by
}
