package model

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// strays are edges beside another of the same pair, for which a matrix has no room. The same operators go through them
// as a list, with the values of both ends of each, and what comes of it is combined here. So they take memory by their
// number, not another matrix for each edge that a pair may have.
type strays struct {
	plan             *Plan
	targets, sources []uint32
	weights          [][]float64 // here and below, padded to whole blocks
	senders          []bool
	columns          []vector.Column // of Plan.Inputs
	come             vector.Column
	flags            []uint8 // come, of bools
	size             int64   // of a block
	blocks           *blockwise.Blocks
}

// newStrays makes room for so many.
func newStrays(b *building, count int) (*strays, error) {
	s := &strays{plan: b.Plan, size: int64(min(count, blockwise.BlockBytes/8))}
	size := blockwise.Padded(count, int(s.size))
	edge := 8 + 1 + 8*uint64(len(b.program.EdgeColumns)+len(b.Inputs)+1)
	if err := b.take(edge*uint64(size) + uint64(b.size.Threads)*liveTensors*8*uint64(s.size)); err != nil {
		return nil, err
	}
	s.targets, s.sources = make([]uint32, 0, count), make([]uint32, 0, count)
	for range b.program.EdgeColumns {
		s.weights = append(s.weights, make([]float64, size))
	}
	for _, in := range b.Inputs {
		s.columns = append(s.columns, vector.Make(in.Type, size))
	}
	s.senders, s.come = make([]bool, size), vector.Make(b.accType, size)
	s.flags = make([]uint8, len(s.come.Bools))
	return s, nil
}

// add enters an edge of a row.
func (s *strays) add(r Row, k int) {
	for i, weights := range r.Weights {
		s.weights[i][len(s.targets)] = weights[k]
	}
	s.targets, s.sources = append(s.targets, r.Target), append(s.sources, r.Sources[k])
}

func (s *strays) build(b *building) (err error) {
	g, err := s.graph()
	if err == nil {
		s.blocks, err = blockwise.New(b.setting(), g, len(s.senders)/int(s.size), s.operands())
	}
	return err
}

// graph is Process over a block of the list.
func (s *strays) graph() (*onnx.Graph, error) {
	t := s.plan.translation([]int64{s.size}, []int64{s.size})
	for _, name := range s.plan.program.EdgeColumns {
		t.Input("edge."+name, onnx.Float64, s.size)
	}
	value, err := t.Visit(t.Checked.GetExpr())
	if err != nil {
		return nil, err
	}
	t.As("acc", "Identity", []string{t.SentSigned(s.plan.program.Reduce, s.plan.accType, value, "senders")})
	t.Output("acc", s.plan.arrivalType(), s.size)
	return t.Graph, nil
}

func (s *strays) operands() []blockwise.Operand {
	all := []blockwise.Operand{blockwise.RowsOperand("senders", s.senders, int(s.size))}
	for i, name := range s.plan.program.EdgeColumns {
		o := blockwise.RowsOperand("edge."+name, s.weights[i], int(s.size))
		o.Fixed = true
		all = append(all, o)
	}
	for i, in := range s.plan.Inputs {
		all = append(all, s.operand(in.Name, s.columns[i]))
	}
	come := s.operand("acc", s.come)
	if s.come.Bools != nil {
		come = blockwise.RowsOperand("acc", s.flags, int(s.size))
	}
	return append(all, blockwise.OutputOperand(come))
}

func (s *strays) operand(name string, c vector.Column) blockwise.Operand {
	switch {
	case c.Floats != nil:
		return blockwise.RowsOperand(name, c.Floats, int(s.size))
	case c.Ints != nil:
		return blockwise.RowsOperand(name, c.Ints, int(s.size))
	}
	return blockwise.RowsOperand(name, c.Bools, int(s.size))
}

// send combines what comes along the strays with the accumulators of a lane.
func (s *strays) send(ctx context.Context, l *sending) error {
	for k, source := range s.sources {
		s.senders[k] = l.Senders[source/64]>>(source%64)&1 != 0
	}
	for i, in := range s.plan.Inputs {
		ends := s.targets
		if strings.HasPrefix(in.Name, "src.") {
			ends = s.sources
		}
		s.columns[i].Slice(0, len(ends)).Gather(l.Columns[in.Name], ends)
	}
	if err := s.blocks.Run(ctx, nil); err != nil {
		return err
	}
	for k, flag := range s.flags {
		s.come.Bools[k] = flag != 0
	}
	l.Acc.ReduceAt(s.plan.program.Reduce, s.come.Slice(0, len(s.targets)), s.targets)
	return nil
}
