package compile

import (
	"math/bits"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// MaskedSum is an aggregate of the form condition ? self.column : 0.0 where no state decides
// the condition, as PageRank's dangling mass: the condition is asked once for all.
type MaskedSum struct {
	column    []float64
	condition *evaluation.Evaluation
	mask      []uint64 // a bit a vertex
}

// newMaskedSum is nil where e has another form.
func newMaskedSum(p *Code, s evaluation.Scope, e *exprpb.CheckedExpr) (*MaskedSum, error) {
	e = shape.Normal(e)
	args := e.GetExpr().GetCallExpr().GetArgs()
	if e.GetExpr().GetCallExpr().GetFunction() != "_?_:_" || !p.invariant(e, args[0]) || uniform(shape.Part(e, args[0])) {
		return nil, nil
	}
	if zero, ok := shape.Constant(e, args[2]); !ok || zero.Float != 0 {
		return nil, nil
	}
	for i, state := range p.Spec.State {
		if vector.Name(e, args[1]) == "self."+state.Name && p.State[i].Floats != nil {
			condition, err := evaluation.New(p.Workers, s, shape.Part(e, args[0]))
			return &MaskedSum{column: p.State[i].Floats, condition: condition}, err
		}
	}
	return nil, nil
}

// bytes is what t takes.
func (t *MaskedSum) bytes() uint64 { return t.condition.Size() + 8*uint64(bitmap.Words(len(t.column))) }

func (t *MaskedSum) allocate() { t.mask = make([]uint64, bitmap.Words(len(t.column))) }

// fill asks the condition for a block.
func (t *MaskedSum) fill(worker, from, to int) {
	evaluation.Strips(from, to, func(from, to int) {
		holds := t.condition.Run(worker, from, to).Output(0, to-from)
		activity.MarkUnlike(t.mask[from/64:bitmap.Words(to)], holds, vector.Scalar{})
	})
}

// Sum is the aggregate of a block.
func (t *MaskedSum) Sum(from, to int) (sum float64) {
	for at := from / 64; at < bitmap.Words(to); at++ {
		for word := t.mask[at]; word != 0; word &= word - 1 {
			sum += t.column[64*at+bits.TrailingZeros64(word)]
		}
	}
	return sum
}
