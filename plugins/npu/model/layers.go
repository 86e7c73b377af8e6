package model

import "github.com/penstock-db/penstock/plugins/npu/onnx"

// layers are the edges of an expression: as many as parallel edges need, each of at most one for each
// pair.
type layers struct {
	plan    *Plan
	n, rows int
	take    func(bytes uint64) error
	all     []*layer
}

// layer tells which pairs have an edge, and of each property the edges' values.
type layer struct {
	there   *matrix[bool]
	weights []*matrix[float64]
}

func (f expression) build(b *building) (sender, error) {
	l := &layers{plan: f.plan, n: b.n, rows: f.rows(b.n), take: b.take}
	if err := l.fill(b.edges); err != nil {
		return nil, err
	}
	e := newEvaluator(f.plan, b.n, l.rows)
	for _, layer := range l.all {
		if err := e.add(b, f.plan.separate(int64(l.rows), int64(b.n)), l.operands(layer)...); err != nil {
			e.close()
			return nil, err
		}
	}
	return e, nil
}

// fill puts each edge on the first layer that has none of its pair.
func (l *layers) fill(edges Edges) error {
	for r := range edges {
		for k, source := range r.Sources {
			layer, err := l.layer(r.Target, source)
			if err != nil {
				return err
			}
			layer.there.row(r.Target)[source] = true
			for i, weights := range r.Weights {
				layer.weights[i].row(r.Target)[source] = weights[k]
			}
		}
	}
	return nil
}

func (l *layers) layer(target, source uint32) (*layer, error) {
	for _, layer := range l.all {
		if !layer.there.row(target)[source] {
			return layer, nil
		}
	}
	if len(l.all) > 0 { // the plan speaks of one
		if err := l.take(expression{l.plan}.layerBytes(l.n)); err != nil {
			return nil, err
		}
	}
	next := &layer{there: newMatrix(l.n, l.rows, false, 1)}
	for range l.plan.program.EdgeColumns {
		next.weights = append(next.weights, newMatrix(l.n, l.rows, 0.0, 1))
	}
	l.all = append(l.all, next)
	return next, nil
}

func (l *layers) operands(of *layer) []operand {
	all := []operand{of.there.operand("there")}
	for i, name := range l.plan.program.EdgeColumns {
		all = append(all, of.weights[i].operand("edge."+name))
	}
	return all
}

// cells declare the inputs of a graph that tell of edges: a bool of which pairs have one, which is returned, and
// the properties, by their names.
type cells func(t *translation) (there string)

// separate cells tell apart whether there is an edge and what its properties are.
func (p *Plan) separate(rows, n int64) cells {
	return func(t *translation) string {
		for _, name := range p.program.EdgeColumns {
			t.Input("edge."+name, onnx.Float64, rows, n)
		}
		return t.Input("there", onnx.Bool, rows, n)
	}
}
