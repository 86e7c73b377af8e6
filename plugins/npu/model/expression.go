package model

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// expression is the form of any Process: its operators, one after the other, over blocks of all
// pairs of a target and a source; pairs without an edge, or whose source does not send, count as the identity
// of Reduce. Parallel edges are in matrices of their own, one upon the other.
type expression struct{ plan *Plan }

func (expression) name() string { return "expression over blocks of rows" }

// chooseExpression finds out what Process reads, and that all its operators are known.
func (p *Plan) chooseExpression() error {
	p.shape = shape{}
	p.form = expression{p}
	checked := p.program.Process.Checked
	found := map[string]algorithms.Type{}
	variables(checked, checked.GetExpr(), found)
	p.Inputs = nil
	for _, name := range sorted(found) {
		p.Inputs = append(p.Inputs, Input{name, found[name]})
	}
	_, err := p.graph(1, 1)
	return err
}

// liveTensors is how many tensors of a block the runtime holds at a time at most: what a Process of
// usual depth has under way.
const liveTensors = 8

func (f expression) rows(n int) int { return blockRows(n, 8) }

func (f expression) bytes(s Size) uint64 {
	rows := f.rows(s.N)
	return f.layerBytes(s.N) + uint64(s.Threads)*liveTensors*8*uint64(rows)*uint64(s.N) +
		uint64(len(f.plan.Inputs)+2)*8*uint64(padded(s.N, rows)) + messageBytes(s)
}

// layerBytes is what one edge for each pair takes.
func (f expression) layerBytes(n int) uint64 {
	return matrixBytes(n, f.rows(n), 1+8*len(f.plan.program.EdgeColumns))
}

// evaluator computes an expression for all pairs.
type evaluator struct {
	plan    *Plan
	n       int
	senders []bool
	columns []vector.Column // of Plan.Inputs, padded
	acc     vector.Column
	flags   []uint8 // acc of bools
	layers  []*layer
}

// layer is at most one edge for each pair.
type layer struct {
	there   *matrix[bool]
	weights []*matrix[float64]
	blocks  *blocks
}

func (f expression) build(b *building) (sender, error) {
	rows := f.rows(b.n)
	e := &evaluator{plan: f.plan, n: b.n, senders: make([]bool, b.n), acc: vector.Make(f.plan.accType, padded(b.n, rows))}
	e.flags = make([]uint8, len(e.acc.Bools))
	for _, in := range f.plan.Inputs {
		e.columns = append(e.columns, vector.Make(in.Type, padded(b.n, rows)))
	}
	if err := e.fill(b, rows); err != nil {
		return nil, err
	}
	g, err := f.plan.graph(int64(rows), int64(b.n))
	if err != nil {
		return nil, err
	}
	for _, l := range e.layers {
		if l.blocks, err = newBlocks(b, g, ceil(b.n, rows), e.operands(l, rows)); err != nil {
			e.close()
			return nil, err
		}
	}
	return e, nil
}

// fill puts each edge on the first layer that has none of its kind.
func (e *evaluator) fill(b *building, rows int) error {
	for r := range b.edges {
		for k, source := range r.Sources {
			l, err := e.layer(b, rows, r.Target, source)
			if err != nil {
				return err
			}
			l.there.row(r.Target)[source] = true
			for i, weights := range r.Weights {
				l.weights[i].row(r.Target)[source] = weights[k]
			}
		}
	}
	return nil
}

func (e *evaluator) layer(b *building, rows int, target, source uint32) (*layer, error) {
	for _, l := range e.layers {
		if !l.there.row(target)[source] {
			return l, nil
		}
	}
	if len(e.layers) > 0 { // the plan speaks of one
		if err := b.take(expression{e.plan}.layerBytes(e.n)); err != nil {
			return nil, err
		}
	}
	l := &layer{there: newMatrix(e.n, rows, false)}
	for range e.plan.program.EdgeColumns {
		l.weights = append(l.weights, newMatrix(e.n, rows, 0.0))
	}
	e.layers = append(e.layers, l)
	return l, nil
}

func (e *evaluator) operands(l *layer, rows int) []operand {
	all := []operand{columnsOperand("senders", e.senders), l.there.operand("there")}
	for i, name := range e.plan.program.EdgeColumns {
		all = append(all, l.weights[i].operand("edge."+name))
	}
	for i, in := range e.plan.Inputs {
		all = append(all, e.vertexOperand(in.Name, e.columns[i], rows))
	}
	acc := e.vertexOperand("dst.acc", e.acc, rows)
	if e.acc.Bools != nil {
		acc = rowsOperand("dst.acc", e.flags, rows)
	}
	acc.name, acc.output, acc.shape = "acc", true, []int64{int64(rows)}
	return append(all, acc)
}

// vertexOperand is a column of targets, or of sources.
func (e *evaluator) vertexOperand(name string, c vector.Column, rows int) operand {
	switch {
	case c.Floats != nil:
		return columnOperand(name, c.Floats, rows, e.n)
	case c.Ints != nil:
		return columnOperand(name, c.Ints, rows, e.n)
	}
	return columnOperand(name, c.Bools, rows, e.n)
}

func columnOperand[T onnx.Element](name string, values []T, rows, n int) operand {
	if strings.HasPrefix(name, "src.") {
		return columnsOperand(name, values[:n])
	}
	return rowsOperand(name, values, rows, 1)
}

func (e *evaluator) send(ctx context.Context, lanes []*sending) error {
	for _, l := range lanes {
		if err := e.sendLane(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluator) sendLane(ctx context.Context, l *sending) error {
	for v := range e.senders {
		e.senders[v] = l.Senders[v/64]>>(v%64)&1 != 0
	}
	for i, in := range e.plan.Inputs {
		e.columns[i].Copy(l.Columns[in.Name])
	}
	l.Acc.Fill(identity(e.plan.program.Reduce, e.plan.accType))
	for _, layer := range e.layers {
		if err := layer.blocks.run(ctx); err != nil {
			return err
		}
		for v, flag := range e.flags {
			e.acc.Bools[v] = flag != 0
		}
		combine(e.plan.program.Reduce, l.Acc, e.acc.Slice(0, e.n))
	}
	return nil
}

func (e *evaluator) close() {
	for _, l := range e.layers {
		if l.blocks != nil {
			l.blocks.close()
		}
	}
}

// combine reduces acc with what has come.
func combine(r algorithms.Reduce, acc, come vector.Column) {
	for v, x := range come.Floats {
		acc.Floats[v] = r.CombineFloats(acc.Floats[v], x)
	}
	for v, x := range come.Ints {
		acc.Ints[v] = r.CombineInts(acc.Ints[v], x)
	}
	for v, x := range come.Bools {
		acc.Bools[v] = r.CombineBools(acc.Bools[v], x)
	}
}
