package cpu

import (
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/shape"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// gate is the condition of a Process condition ? a : b where its target alone decides the
// condition, and its source alone a and b: each row then sums the messages of one of them,
// as if there were nothing else.
type gate struct {
	condition, message *evaluation // message is a; b is the program's own
	messages           []float64
	open               []uint64 // of each target, whether the condition holds
}

// newGate is nil where process has another form; else b is what is left of it.
func newGate(p *code, s scope, process *exprpb.CheckedExpr) (g *gate, b *exprpb.CheckedExpr, err error) {
	args := process.GetExpr().GetCallExpr().GetArgs()
	if !p.sendsSums() || process.GetExpr().GetCallExpr().GetFunction() != "_?_:_" ||
		!only(process, args[0], "dst.") || !shape.FromSource(process, args[1]) || !shape.FromSource(process, args[2]) {
		return nil, process, nil
	}
	g = &gate{}
	if g.condition, err = newEvaluation(p.workers, s, shape.Part(process, args[0])); err != nil {
		return nil, nil, err
	}
	g.message, err = newEvaluation(p.workers, s, shape.Part(process, args[1]))
	return g, shape.Part(process, args[2]), err
}

// bytes is what g takes for n vertices.
func (g *gate) bytes(n int) uint64 {
	if g == nil {
		return 0
	}
	return g.condition.size() + g.message.size() + 8*uint64(n) + hugeSlack(8*uint64(n)) + 8*uint64(bitmap.Words(n))
}

func (g *gate) allocate(n int) {
	g.messages, g.open = onHugePages[float64](n), make([]uint64, bitmap.Words(n))
}

// prepare asks a block for its messages and the condition.
func (g *gate) prepare(worker, from, to int) {
	strips(from, to, func(from, to int) {
		copy(g.messages[from:to], g.message.run(worker, from, to).Output(0, to-from).Floats)
		markUnlike(g.open[from/64:bitmap.Words(to)], g.condition.run(worker, from, to).Output(0, to-from), vector.Scalar{})
	})
}

// isOpen tells whether the condition holds for v.
func (g *gate) isOpen(v uint64) bool { return g.open[v/64]>>(v%64)&1 != 0 }
