package lowering

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// counts is how many edges each pair has.
func (w *writer) counts() tensor {
	rows, columns := int64(w.size.Rows), int64(w.size.Columns)
	return w.input(Counts, nil, "counts", onnx.Float32, rows, columns)
}

// linked says which pairs have an edge.
func (w *writer) linked() tensor {
	if known, ok := w.inputs["linked"]; ok {
		return known
	}
	made := w.meet("Greater", w.counts(), w.number(0))
	w.inputs["linked"] = made
	return made
}

// far is the rows of a value at the far ends of pairs: columns × width.
func (w *writer) far(v *dataflow.Value) tensor {
	all := w.input(Far, v, fmt.Sprintf("far%d", v.ID), onnx.Float32, int64(w.size.Vertices), int64(v.Width))
	if !w.size.Repeated {
		return all
	}
	columns := int64(w.size.Columns)
	return w.node("Gather", []int64{columns, int64(v.Width)},
		[]tensor{all, w.input(Columns, nil, "columns", onnx.Int64, columns)}, onnx.Int("axis", 0))
}

// farRow is what an edge value takes from the far end, if it is nothing but that.
func (w *writer) farRow(v *dataflow.Value) *dataflow.Value {
	if (v.Op == dataflow.Source || v.Op == dataflow.Target) && v.Op != w.own {
		return v.Args[0]
	}
	return nil
}

// ownRow is what it takes from the block's rows.
func (w *writer) ownRow(v *dataflow.Value) *dataflow.Value {
	if v.Op == w.own {
		return v.Args[0]
	}
	return nil
}

// edge is an edge value: width × rows × columns, where 1 row or column is for all.
func (w *writer) edge(v *dataflow.Value) (tensor, error) {
	if known, ok := w.edges[v]; ok {
		return known, nil
	}
	made, err := w.makeEdge(v)
	w.edges[v] = made
	return made, err
}

func (w *writer) makeEdge(v *dataflow.Value) (tensor, error) {
	rows, columns, width := int64(w.size.Rows), int64(w.size.Columns), int64(v.Width)
	name := fmt.Sprintf("v%d", v.ID)
	switch {
	case v.Place == dataflow.Parameters: // one row
		return w.reshape(w.of(v), width, 1, 1), nil
	case w.ownRow(v) != nil:
		return w.reshape(w.transpose(w.of(w.ownRow(v)), 1, 0), width, rows, 1), nil
	case w.farRow(v) != nil:
		return w.reshape(w.transpose(w.far(w.farRow(v)), 1, 0), width, 1, columns), nil
	case v.Op == dataflow.Property:
		return w.input(Property, v, name, onnx.Float32, 1, rows, columns), nil
	case v.Op == dataflow.Mask:
		return w.input(EdgeFactors, v, name, onnx.Float32, width, rows, columns), nil
	case v.Op == dataflow.SumParts:
		if own, far := w.ends(v.Args[0]); own != nil {
			return w.partProducts(own, far, width), nil
		}
	case v.Op == dataflow.Product, v.Op == dataflow.ProductTransposed:
		return w.edgeProduct(v)
	}
	args := make([]tensor, len(v.Args))
	for i, a := range v.Args {
		arg, err := w.edge(a)
		if err != nil {
			return arg, err
		}
		args[i] = arg
	}
	return w.elements(v, 0, args)
}

// edgeProduct multiplies what lies at pairs with a parameter: the widths of a pair are a column.
func (w *writer) edgeProduct(v *dataflow.Value) (tensor, error) {
	x, err := w.edge(v.Args[0])
	if err != nil {
		return x, err
	}
	p := w.of(v.Args[1])
	if v.Op == dataflow.Product {
		p = w.transpose(p, 1, 0)
	}
	rows, columns := x.dims[1], x.dims[2]
	return w.reshape(w.product(p, w.reshape(x, x.dims[0], rows*columns)), int64(v.Width), rows, columns), nil
}

// ends are the values of a product of two rows of one width, one from each end; nil: it is no such product.
func (w *writer) ends(v *dataflow.Value) (own, far *dataflow.Value) {
	if v.Op != dataflow.Multiply || v.Args[0].Width != v.Args[1].Width {
		return nil, nil
	}
	x, y := v.Args[0], v.Args[1]
	if w.ownRow(x) == nil {
		x, y = y, x
	}
	if own, far = w.ownRow(x), w.farRow(y); own == nil || far == nil {
		return nil, nil
	}
	return own, far
}

// partProducts is own · farᵀ for each of some parts of their rows.
func (w *writer) partProducts(own, far *dataflow.Value, parts int64) tensor {
	x := w.transpose(w.parts(w.of(own), 1, parts), 1, 0, 2)
	y := w.transpose(w.parts(w.far(far), 1, parts), 1, 2, 0)
	return w.product(x, y)
}

// gather adds up pairs at the block's rows, takes the largest, or multiplies rows of pairs.
func (w *writer) gather(v *dataflow.Value) error {
	x := v.Args[0]
	if far := w.farRow(x); far != nil && v.Op == dataflow.GatherSum {
		w.rows[v] = w.product(w.counts(), w.far(far))
		return nil
	}
	if v.Op == dataflow.GatherSum && x.Op == dataflow.Multiply {
		scale, row := x.Args[0], x.Args[1]
		if w.farRow(row) == nil || scale.Width > row.Width {
			scale, row = row, scale
		}
		if far := w.farRow(row); far != nil && scale.Width <= row.Width {
			return w.scaled(v, scale, far)
		}
	}
	each, err := w.edge(x)
	if err != nil {
		return err
	}
	switch v.Op {
	case dataflow.GatherSum:
		w.rows[v] = w.atRows(w.reduce("ReduceSum", w.counted(each), 2))
	case dataflow.GatherMax:
		w.rows[v] = w.largest(each)
	case dataflow.Outer:
		return w.outer(v, each)
	default:
		return lacking(v)
	}
	return nil
}

// counted is what lies at pairs times how many edges they have: nothing, whatever it is, where there is none.
func (w *writer) counted(x tensor) tensor {
	return w.meet("Where", w.linked(), w.meet("Mul", x, w.counts()), w.number(0))
}

// atRows is a number for each width and row, as rows.
func (w *writer) atRows(x tensor) tensor {
	return w.transpose(w.reshape(x, x.dims[0], x.dims[1]), 1, 0)
}

// scaled adds up scale · far: a product of matrices for each number of scale.
func (w *writer) scaled(v, scale, far *dataflow.Value) error {
	s, err := w.edge(scale)
	if err != nil {
		return err
	}
	parts := w.transpose(w.parts(w.far(far), 1, int64(scale.Width)), 1, 0, 2)
	sums := w.transpose(w.product(w.counted(s), parts), 1, 0, 2)
	w.rows[v] = w.reshape(sums, int64(w.size.Rows), int64(v.Width))
	return nil
}

// largest is the largest of the pairs that have an edge; 0 where none of a row has.
func (w *writer) largest(x tensor) tensor {
	most := w.atRows(w.reduce("ReduceMax", w.meet("Where", w.linked(), x, w.number(math.Inf(-1))), 2))
	any := w.meet("Greater", w.reduce("ReduceMax", w.counts(), 1), w.number(0))
	return w.meet("Where", any, most, w.number(0))
}

// outer is Σ xᵀ·y over the edges.
func (w *writer) outer(v *dataflow.Value, x tensor) error {
	y, err := w.edge(v.Args[1])
	if err != nil {
		return err
	}
	pairs := int64(w.size.Rows) * int64(w.size.Columns)
	x = w.reshape(w.counted(x), x.dims[0], pairs)
	y = w.reshape(w.meet("Where", w.linked(), y, w.number(0)), y.dims[0], pairs)
	w.rows[v] = w.product(x, w.transpose(y, 1, 0))
	w.output(Sum, v, w.rows[v])
	return nil
}
