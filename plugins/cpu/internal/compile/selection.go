package compile

import (
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/plugins/cpu/internal/hugepages"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Selection is the condition of a Process condition ? a : b where its target alone decides the
// condition, and its source alone a and b: each row then sums the messages of one of them,
// as if there were nothing else.
type Selection struct {
	condition, message *evaluation.Evaluation // message is a; b is the program's own
	Messages           []float64
	mask               []uint64 // of each target, whether the condition holds
}

// newSelection is nil where process has another form; else b is what is left of it.
func newSelection(p *Code, s evaluation.Scope, process *exprpb.CheckedExpr) (g *Selection, b *exprpb.CheckedExpr,
	err error) {
	args := process.GetExpr().GetCallExpr().GetArgs()
	if !p.sendsSums() || process.GetExpr().GetCallExpr().GetFunction() != "_?_:_" ||
		!only(process, args[0], "dst.") || !shape.FromSource(process, args[1]) || !shape.FromSource(process, args[2]) {
		return nil, process, nil
	}
	g = &Selection{}
	if g.condition, err = evaluation.New(p.Workers, s, shape.Part(process, args[0])); err != nil {
		return nil, nil, err
	}
	g.message, err = evaluation.New(p.Workers, s, shape.Part(process, args[1]))
	return g, shape.Part(process, args[2]), err
}

// bytes is what g takes for n vertices.
func (g *Selection) bytes(n int) uint64 {
	if g == nil {
		return 0
	}
	return g.condition.Size() + g.message.Size() + 8*uint64(n) + hugepages.Slack(8*uint64(n)) + 8*uint64(bitmap.Words(n))
}

func (g *Selection) allocate(n int) {
	g.Messages, g.mask = hugepages.Make[float64](n), make([]uint64, bitmap.Words(n))
}

// Prepare asks a block for its messages and the condition.
func (g *Selection) Prepare(worker, from, to int) {
	evaluation.Strips(from, to, func(from, to int) {
		copy(g.Messages[from:to], g.message.Run(worker, from, to).Output(0, to-from).Floats)
		activity.MarkUnlike(g.mask[from/64:bitmap.Words(to)], g.condition.Run(worker, from, to).Output(0, to-from),
			vector.Scalar{})
	})
}

// Holds tells whether the condition holds for v.
func (g *Selection) Holds(v uint64) bool { return g.mask[v/64]>>(v%64)&1 != 0 }
