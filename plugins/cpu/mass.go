package cpu

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// mass is an aggregate of the form condition ? self.column : 0.0 where no state decides
// the condition, as PageRank's dangling mass: the condition is asked once for all.
type mass struct {
	column    []float64
	condition *evaluation
	counted   []uint64 // a bit a vertex
}

// newMass is nil where e has another form.
func newMass(p *program, s scope, e *exprpb.CheckedExpr) (*mass, error) {
	e = shape.Normal(e)
	args := e.GetExpr().GetCallExpr().GetArgs()
	if e.GetExpr().GetCallExpr().GetFunction() != "_?_:_" || !p.settled(e, args[0]) || uniform(shape.Part(e, args[0])) {
		return nil, nil
	}
	if zero, ok := shape.Constant(e, args[2]); !ok || zero.Float != 0 {
		return nil, nil
	}
	for i, state := range p.spec.State {
		if vector.Name(e, args[1]) == "self."+state.Name && p.state[i].Floats != nil {
			condition, err := newEvaluation(p.pool.Threads, s, shape.Part(e, args[0]))
			return &mass{column: p.state[i].Floats, condition: condition}, err
		}
	}
	return nil, nil
}

// bytes is what t takes.
func (t *mass) bytes() uint64 { return t.condition.size() + 8*uint64(bitmap.Words(len(t.column))) }

func (t *mass) allocate() { t.counted = make([]uint64, bitmap.Words(len(t.column))) }

// fill asks the condition for a block.
func (t *mass) fill(worker, from, to int) {
	strips(from, to, func(from, to int) {
		holds := t.condition.run(worker, from, to).Output(0, to-from)
		markUnlike(t.counted[from/64:bitmap.Words(to)], holds, vector.Scalar{})
	})
}

// sum is the aggregate of a block.
func (t *mass) sum(from, to int) (sum float64) {
	for at := from / 64; at < bitmap.Words(to); at++ {
		for word := t.counted[at]; word != 0; word &= word - 1 {
			sum += t.column[64*at+bits.TrailingZeros64(word)]
		}
	}
	return sum
}
