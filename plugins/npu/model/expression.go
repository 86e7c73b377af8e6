package model

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
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

func (f expression) rows(n int) int { return blockwise.BlockRows(n, 8) }

func (f expression) bytes(s Size) uint64 {
	rows := f.rows(s.N)
	return blockwise.MatrixBytes(s.N, rows, 1+8*len(f.plan.program.EdgeColumns)) +
		uint64(s.Threads)*liveTensors*8*uint64(rows)*uint64(s.N) +
		uint64(len(f.plan.Inputs)+2)*8*uint64(blockwise.Padded(s.N, rows)) + messageBytes(s)
}

// evaluator computes an expression for all pairs.
type evaluator struct {
	plan    *Plan
	n, rows int
	senders []bool
	columns []vector.Column // of Plan.Inputs, padded
	acc     vector.Column
	flags   []uint8             // acc of bools
	layers  []*blockwise.Blocks // of at most one edge for each pair
	strays  *strays             // nil: there are none
}

func newEvaluator(p *Plan, n, rows int) *evaluator {
	e := &evaluator{plan: p, n: n, rows: rows, senders: make([]bool, n),
		acc: vector.Make(p.accType, blockwise.Padded(n, rows))}
	e.flags = make([]uint8, len(e.acc.Bools))
	for _, in := range p.Inputs {
		e.columns = append(e.columns, vector.Make(in.Type, blockwise.Padded(n, rows)))
	}
	return e
}

// add has the evaluator go over a layer of edges, too: what cells are in a graph, and where they lie.
func (e *evaluator) add(b *building, c cells, operands ...blockwise.Operand) error {
	g, err := e.plan.graph(int64(e.rows), int64(e.n), c)
	if err != nil {
		return err
	}
	layer, err := blockwise.New(b.setting(), g, blockwise.Ceil(e.n, e.rows), append(operands, e.operands()...))
	if err == nil {
		e.layers = append(e.layers, layer)
	}
	return err
}

func (e *evaluator) operands() []blockwise.Operand {
	all := []blockwise.Operand{blockwise.ColumnsOperand("senders", e.senders)}
	for i, in := range e.plan.Inputs {
		all = append(all, e.vertexOperand(in.Name, e.columns[i]))
	}
	acc := e.vertexOperand("acc", e.acc)
	if e.acc.Bools != nil {
		acc = blockwise.RowsOperand("acc", e.flags, e.rows)
	}
	acc.Output, acc.Shape = true, []int64{int64(e.rows)}
	return append(all, acc)
}

// vertexOperand is a column of targets, or of sources.
func (e *evaluator) vertexOperand(name string, c vector.Column) blockwise.Operand {
	switch {
	case c.Floats != nil:
		return columnOperand(name, c.Floats, e.rows, e.n)
	case c.Ints != nil:
		return columnOperand(name, c.Ints, e.rows, e.n)
	}
	return columnOperand(name, c.Bools, e.rows, e.n)
}

func columnOperand[T onnx.Element](name string, values []T, rows, n int) blockwise.Operand {
	if strings.HasPrefix(name, "src.") {
		return blockwise.ColumnsOperand(name, values[:n])
	}
	return blockwise.RowsOperand(name, values, rows, 1)
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
		if err := layer.Run(ctx, nil); err != nil {
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
		l.Close()
	}
	if e.strays != nil {
		e.strays.blocks.Close()
	}
}
