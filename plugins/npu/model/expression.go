package model

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// expression is the form of any Process: its operators, one after the other, over blocks of all
// pairs of a target and a source; pairs without an edge, or whose source does not send, count as the identity
// of Reduce. A matrix has one edge of each pair; parallel ones are in a list beside it (strays.go).
type expression struct{ plan *Plan }

func (expression) name() string { return "expression over blocks of rows" }

// chooseExpression finds out that all operators of Process are known.
func (p *Plan) chooseExpression() error {
	p.form = expression{p}
	_, err := p.graph(1, 1, p.separate(1, 1))
	return err
}

// liveTensors is how many tensors of a block the runtime holds at a time at most: what a Process of
// usual depth has under way.
const liveTensors = 8

func (f expression) rows(n int) int { return blockRows(n, 8) }

func (f expression) bytes(s Size) uint64 {
	rows := f.rows(s.N)
	return matrixBytes(s.N, rows, 1+8*len(f.plan.program.EdgeColumns)) +
		uint64(s.Threads)*liveTensors*8*uint64(rows)*uint64(s.N) +
		uint64(len(f.plan.Inputs)+2)*8*uint64(padded(s.N, rows)) + messageBytes(s)
}

// evaluator computes an expression for all pairs.
type evaluator struct {
	plan    *Plan
	n, rows int
	senders []bool
	columns []vector.Column // of Plan.Inputs, padded
	acc     vector.Column
	flags   []uint8   // acc of bools
	layers  []*blocks // of at most one edge for each pair
	strays  *strays   // nil: there are none
}

func newEvaluator(p *Plan, n, rows int) *evaluator {
	e := &evaluator{plan: p, n: n, rows: rows, senders: make([]bool, n), acc: vector.Make(p.accType, padded(n, rows))}
	e.flags = make([]uint8, len(e.acc.Bools))
	for _, in := range p.Inputs {
		e.columns = append(e.columns, vector.Make(in.Type, padded(n, rows)))
	}
	return e
}

// add has the evaluator go over a layer of edges, too: what cells are in a graph, and where they lie.
func (e *evaluator) add(b *building, c cells, operands ...operand) error {
	g, err := e.plan.graph(int64(e.rows), int64(e.n), c)
	if err != nil {
		return err
	}
	layer, err := newBlocks(b.setting(), g, ceil(e.n, e.rows), append(operands, e.operands()...))
	if err == nil {
		e.layers = append(e.layers, layer)
	}
	return err
}

func (e *evaluator) operands() []operand {
	all := []operand{columnsOperand("senders", e.senders)}
	for i, in := range e.plan.Inputs {
		all = append(all, e.vertexOperand(in.Name, e.columns[i]))
	}
	acc := e.vertexOperand("acc", e.acc)
	if e.acc.Bools != nil {
		acc = rowsOperand("acc", e.flags, e.rows)
	}
	acc.output, acc.shape = true, []int64{int64(e.rows)}
	return append(all, acc)
}

// vertexOperand is a column of targets, or of sources.
func (e *evaluator) vertexOperand(name string, c vector.Column) operand {
	switch {
	case c.Floats != nil:
		return columnOperand(name, c.Floats, e.rows, e.n)
	case c.Ints != nil:
		return columnOperand(name, c.Ints, e.rows, e.n)
	}
	return columnOperand(name, c.Bools, e.rows, e.n)
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
	l.Acc.Fill(vector.Identity(e.plan.program.Reduce, e.plan.accType))
	for _, layer := range e.layers {
		if err := layer.run(ctx, nil); err != nil {
			return err
		}
		for v, flag := range e.flags {
			e.acc.Bools[v] = flag != 0
		}
		l.Acc.Reduce(e.plan.program.Reduce, e.acc.Slice(0, e.n))
	}
	if e.strays != nil {
		return e.strays.send(ctx, l)
	}
	return nil
}

func (e *evaluator) close() {
	for _, l := range e.layers {
		l.close()
	}
	if e.strays != nil {
		e.strays.blocks.close()
	}
}
