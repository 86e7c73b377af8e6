package cpu

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
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
func newGate(p *program, s scope, process *exprpb.CheckedExpr) (g *gate, b *exprpb.CheckedExpr, err error) {
	args := process.GetExpr().GetCallExpr().GetArgs()
	if !p.sendsSums() || process.GetExpr().GetCallExpr().GetFunction() != "_?_:_" ||
		!only(process, args[0], "dst.") || !shape.FromSource(process, args[1]) || !shape.FromSource(process, args[2]) {
		return nil, process, nil
	}
	g = &gate{}
	if g.condition, err = newEvaluation(p.pool.Threads, s, shape.Part(process, args[0])); err != nil {
		return nil, nil, err
	}
	g.message, err = newEvaluation(p.pool.Threads, s, shape.Part(process, args[1]))
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

// gated is gather for a program with a gate.
type gated struct{ p *program }

func (k *gated) name() string         { return "fused: message by target" }
func (k *gated) size() uint64         { return 0 }
func (k *gated) combine(r *csr.Chunk) { combineHeads[float64](k.p, r) }

func (k *gated) step(_ int, r *csr.Chunk, s int) uint64 {
	from, to, row := r.Segment(s)
	first, begun := from, int(r.Offsets[row]) < from
	acc := k.p.acc.Floats[r.Rows.Base:r.Rows.End()]
	for from < to {
		sent, stop := k.alike(r, row, to)
		switch end := min(int(r.Offsets[row+1]), to); {
		case begun:
			k.p.heads.Floats[r.FirstHead+s] = gatherSum(0.0, sent, r.Neighbors[from:end], nil)
			row, from, begun = row+1, end, false
		case stop > row:
			sumRows(acc, sent, r, row, stop)
			row, from = stop, int(r.Offsets[stop])
		default:
			v := r.Local(row)
			acc[v] = gatherSum(acc[v], sent, r.Neighbors[from:end], nil)
			from = end
		}
	}
	return uint64(to - first)
}

// alike is what row hears, and up to where rows that end by to hear the same.
func (k *gated) alike(r *csr.Chunk, row, to int) (messages []float64, stop int) {
	g, base := k.p.gate, r.Rows.Base
	open := g.isOpen(base + uint64(r.Local(row)))
	for stop = row; stop+1 < len(r.Offsets) && int(r.Offsets[stop+1]) <= to; stop++ {
		if g.isOpen(base+uint64(r.Local(stop))) != open {
			break
		}
	}
	if open {
		return g.messages[r.Cols.Base:r.Cols.End()], stop
	}
	return k.p.messages.Floats[r.Cols.Base:r.Cols.End()], stop
}
