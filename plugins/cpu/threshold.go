package cpu

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// threshold is the Apply of who passes on what has reached it once that is worth it (Zhang
// et al., "Maiter", TPDS 2014), over three columns of doubles, in one loop:
//
//	pending = held + acc
//	pending·scale > least ?  first += pending, held = 0, sent = pending
//	                      :  held = pending, sent = 0
type threshold struct {
	first, held, sent []float64
	scale, least      *term
}

// newThreshold is nil where the Apply of p has another form.
func newThreshold(p *program, s scope) (*threshold, error) {
	for _, held := range []int{1, 2} {
		if condition := p.holds(held); condition != nil {
			return p.thresholdOn(s, condition, held)
		}
	}
	return nil, nil
}

// thresholdOn takes the condition apart under which what column held has is passed on.
func (p *program) thresholdOn(s scope, condition *exprpb.CheckedExpr, held int) (*threshold, error) {
	sum, least := condition.GetExpr().GetCallExpr().GetArgs()[0], condition.GetExpr().GetCallExpr().GetArgs()[1]
	if condition.GetExpr().GetCallExpr().GetFunction() == "_<_" {
		sum, least = least, sum
	}
	rest, scale := p.takeOff(condition, sum, "_*_")
	if !p.isPending(shape.Part(condition, rest), held) || !uniform(scale) || !p.settled(condition, least) || !uniform(shape.Part(condition, least)) {
		return nil, nil
	}
	t := &threshold{first: p.state[0].Floats, held: p.state[held].Floats, sent: p.state[3-held].Floats}
	var err error
	if t.scale, err = p.newTerm(s, scale, 1); err != nil {
		return nil, err
	}
	t.least, err = p.newTerm(s, shape.Part(condition, least), 0)
	return t, err
}

// holds is the comparison that all three columns go by, if column held keeps what is not yet
// worth to be passed on; or nil.
func (p *program) holds(held int) *exprpb.CheckedExpr {
	if p.spec.Reduce != algorithms.Sum || p.accType != algorithms.Float || p.spec.Activity != algorithms.Changed || len(p.spec.State) != 3 {
		return nil
	}
	var choices [3]choice
	for i, s := range p.spec.State {
		var ok bool
		if choices[i], ok = choiceOf(s); !ok || !shape.Same(choices[i].condition, choices[0].condition) {
			return nil
		}
	}
	first, kept, sent := choices[0], choices[held], choices[3-held]
	args := first.then.GetExpr().GetCallExpr().GetArgs()
	self := func(e *exprpb.CheckedExpr) bool { return vector.Name(e, e.GetExpr()) == "self."+p.spec.State[0].Name }
	switch {
	case !shape.IsZero(kept.then) || !shape.IsZero(sent.otherwise) || !self(first.otherwise) || first.then.GetExpr().GetCallExpr().GetFunction() != "_+_":
	case !p.isPending(kept.otherwise, held) || !p.isPending(sent.then, held):
	case self(shape.Part(first.then, args[0])) && p.isPending(shape.Part(first.then, args[1]), held),
		self(shape.Part(first.then, args[1])) && p.isPending(shape.Part(first.then, args[0]), held):
		return first.condition
	}
	return nil
}

// choice is an Apply condition ? then : otherwise, of doubles.
type choice struct{ condition, then, otherwise *exprpb.CheckedExpr }

// choiceOf tells whether the Apply of s is one by a comparison.
func choiceOf(s algorithms.State) (c choice, ok bool) {
	if s.Type != algorithms.Float || s.Apply.Source == "" {
		return c, false
	}
	e := shape.Normal(s.Apply.Checked)
	args := e.GetExpr().GetCallExpr().GetArgs()
	if e.GetExpr().GetCallExpr().GetFunction() != "_?_:_" {
		return c, false
	}
	compared := args[0].GetCallExpr().GetFunction()
	return choice{shape.Part(e, args[0]), shape.Part(e, args[1]), shape.Part(e, args[2])}, compared == "_>_" || compared == "_<_"
}

// isPending tells whether e is what column held and acc add up to.
func (p *program) isPending(e *exprpb.CheckedExpr, held int) bool {
	call := e.GetExpr().GetCallExpr()
	if call.GetFunction() != "_+_" {
		return false
	}
	a, b := vector.Name(e, call.GetArgs()[0]), vector.Name(e, call.GetArgs()[1])
	self := "self." + p.spec.State[held].Name
	return a == self && b == "acc" || a == "acc" && b == self
}

// apply does it for some vertices from `from` on, who get active if their first column
// changes, and returns by how much those change.
func (t *threshold) apply(p *program, from int, some, active []uint64) (by float64) {
	for i, word := range some {
		changed, moved := t.applyWord(p, from+64*i, word)
		active[i] |= changed
		by = change{by: by}.and(change{by: moved}, p.spec.Norm).by
	}
	return by
}

// applyWord tells which of the vertices of a word change their first column.
func (t *threshold) applyWord(p *program, from int, word uint64) (changed uint64, by float64) {
	scale, least, acc := t.scale.values[0], t.least.values[0], p.acc.Floats
	for ; word != 0; word &= word - 1 {
		bit := bits.TrailingZeros64(word)
		v := from + bit
		pending, before := t.held[v]+acc[v], t.first[v]
		acc[v] = 0
		if !(pending*scale > least) {
			t.held[v], t.sent[v] = pending, 0
			continue
		}
		after := before + pending
		t.first[v], t.held[v], t.sent[v] = after, 0, pending
		if math.Float64bits(before) != math.Float64bits(after) {
			changed |= 1 << bit
		}
		by = change{by: by}.and(change{by: moved(p.spec.Norm, before, after)}, p.spec.Norm).by
	}
	return changed, by
}

// catchUp has those of a word who are about to send take along what has reached them since they
// were told to: it is as if that had come before. Else they would have to send once more.
func (t *threshold) catchUp(p *program, word int) {
	acc := p.acc.Floats
	for rest := p.reached(word) & p.departing[word]; rest != 0; rest &= rest - 1 {
		v := 64*word + bits.TrailingZeros64(rest)
		t.first[v] += acc[v]
		t.sent[v] += acc[v]
		acc[v] = 0
	}
	p.touched[word] &^= p.departing[word]
}

// thresholdBlock is applyBlock.
func (p *program) thresholdBlock(_, block, from, to int) {
	all := change{}
	for word := from / 64; word < bitmap.Words(to); word++ {
		changed, by := p.threshold.applyWord(p, 64*word, bitmap.Within(word, 0, to))
		if p.active[word] = changed; p.touched != nil {
			p.touched[word] = 0
		}
		all = all.and(change{active: uint64(bits.OnesCount64(changed)), by: by}, p.spec.Norm)
	}
	p.changes[block] = all
}
