package lowering

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Stage writes a stage over a block of rows. Given are rows that come as an operand, though they are made of others.
func Stage(stage *dataflow.Stage, size Size, given func(*dataflow.Value) bool) (*Model, error) {
	w := newWriter(size, stage.End, given)
	for _, wave := range stage.Waves {
		for _, v := range wave.Gathers {
			if err := w.gather(v); err != nil {
				return nil, err
			}
		}
		for _, v := range wave.Rows {
			if given(v) {
				continue
			}
			if err := w.row(v); err != nil {
				return nil, err
			}
		}
	}
	for _, v := range stage.Stored {
		w.output(Own, v, w.rows[v])
	}
	for _, v := range stage.Sums {
		if err := w.row(v); err != nil {
			return nil, err
		}
		w.output(Sum, v, w.rows[v])
	}
	return &w.Model, nil
}

// Small writes the parameters that are made of parameters.
func Small(values []*dataflow.Value) (*Model, error) {
	w := newWriter(Size{}, 0, func(*dataflow.Value) bool { return false })
	for _, v := range values {
		if err := w.row(v); err != nil {
			return nil, err
		}
		w.output(Own, v, w.rows[v])
	}
	return &w.Model, nil
}

// of is the rows of a value: computed here, or handed over.
func (w *writer) of(v *dataflow.Value) tensor {
	if known, ok := w.rows[v]; ok {
		return known
	}
	name, rows := fmt.Sprintf("v%d", v.ID), int64(w.size.Rows)
	switch {
	case v.Op == dataflow.Number:
		made := w.number(v.Number)
		made.dims = []int64{1, 1}
		made.name = w.Graph.Initializer(onnx.Values("", made.dims, float32(v.Number)))
		w.rows[v] = made
		return made
	case v.Op == dataflow.Mask:
		return w.input(Factors, v, name, onnx.Float32, rows, int64(v.Width))
	case v.Place == dataflow.Parameters:
		rows = int64(v.Rows)
	}
	return w.input(Own, v, name, onnx.Float32, rows, int64(v.Width))
}

// row makes v, of vertices or a parameter, of its arguments.
func (w *writer) row(v *dataflow.Value) (err error) {
	args := make([]tensor, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.of(a)
	}
	var made tensor
	switch v.Op {
	case dataflow.Product:
		made = w.product(args[0], args[1])
	case dataflow.ProductTransposed:
		made = w.product(args[0], w.transpose(args[1], 1, 0))
	case dataflow.Outer:
		made = w.product(w.transpose(args[0], 1, 0), args[1])
	case dataflow.SumRows:
		made = w.reduce("ReduceSum", args[0], 0)
	case dataflow.Repeat:
		made = w.expand(args[0], int64(w.size.Rows), int64(v.Width))
	default:
		made, err = w.elements(v, 1, args)
	}
	w.rows[v] = made
	return err
}
