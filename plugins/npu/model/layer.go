package model

import (
	"github.com/penstock-db/penstock/plugins/npu/onnx"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/translation"
)

// layer is the edges of an expression as matrices: which pairs have an edge, and of each property the edges' values. Of
// parallel edges it has the first.
type layer struct {
	there   *blockwise.Matrix[bool]
	weights []*blockwise.Matrix[float64]
}

func (f expression) build(b *building) (sender, error) {
	rows := f.rows(b.n)
	l := &layer{there: blockwise.NewMatrix(b.n, rows, false, 1)}
	for range f.plan.program.EdgeColumns {
		l.weights = append(l.weights, blockwise.NewMatrix(b.n, rows, 0.0, 1))
	}
	others, err := l.fill(b)
	if err != nil {
		return nil, err
	}
	e := newEvaluator(f.plan, b.n, rows)
	if err = e.add(b, f.plan.separate(int64(rows), int64(b.n)), l.operands(f.plan)...); err == nil && others != nil {
		e.strays, err = others, others.build(b)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// fill goes through the edges twice: to see how many strays there are, and to put each edge where it belongs.
func (l *layer) fill(b *building) (*strays, error) {
	count := 0
	l.enter(b.edges, func(Row, int) { count++ }, nil)
	if count == 0 {
		l.enter(b.edges, nil, l.weigh)
		return nil, nil
	}
	others, err := newStrays(b, count)
	if err != nil {
		return nil, err
	}
	l.enter(b.edges, others.add, l.weigh)
	return others, nil
}

// enter calls first for the first edge of each pair, of a row, and other for the others.
func (l *layer) enter(edges Edges, other, first func(r Row, k int)) {
	clear(l.there.Cells)
	for r := range edges {
		row := l.there.Row(r.Target)
		for k, source := range r.Sources {
			switch {
			case row[source]:
				other(r, k)
			case first != nil:
				first(r, k)
			}
			row[source] = true
		}
	}
}

// weigh enters the properties of an edge.
func (l *layer) weigh(r Row, k int) {
	for i, weights := range r.Weights {
		l.weights[i].Row(r.Target)[r.Sources[k]] = weights[k]
	}
}

func (l *layer) operands(p *Plan) []blockwise.Operand {
	all := []blockwise.Operand{l.there.Operand("there")}
	for i, name := range p.program.EdgeColumns {
		all = append(all, l.weights[i].Operand("edge."+name))
	}
	return all
}

// cells declare the inputs of a graph that tell of edges: a bool of which pairs have one, which is returned, and
// the properties, by their names.
type cells func(t *translation.Translation) (there string)

// separate cells tell apart whether there is an edge and what its properties are.
func (p *Plan) separate(rows, n int64) cells {
	return func(t *translation.Translation) string {
		for _, name := range p.program.EdgeColumns {
			t.Input("edge."+name, onnx.Float64, rows, n)
		}
		return t.Input("there", onnx.Bool, rows, n)
	}
}
