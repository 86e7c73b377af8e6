package onnxmodel

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// operators are those that ONNX has by another name only, of one argument or of two.
var operators = map[dataflow.Op]string{
	dataflow.Negate: "Neg", dataflow.Relu: "Relu", dataflow.Elu: "Elu", dataflow.Sigmoid: "Sigmoid", dataflow.Tanh: "Tanh",
	dataflow.Exp: "Exp", dataflow.Log: "Log", dataflow.Sqrt: "Sqrt", dataflow.Softplus: "Softplus", dataflow.Abs: "Abs",
	dataflow.Sign: "Sign", dataflow.Stop: "Identity",
	dataflow.Add: "Add", dataflow.Subtract: "Sub", dataflow.Multiply: "Mul", dataflow.Divide: "Div", dataflow.Max: "Max",
	dataflow.Equal: "Equal", dataflow.Greater: "Greater",
}

// value adds what makes v of its arguments, and returns its name.
func (t *translation) value(v *dataflow.Value) (string, error) {
	args := make([]string, len(v.Args))
	for i, a := range v.Args {
		args[i] = t.names[a]
	}
	switch v.Op {
	case dataflow.Input:
		return t.input(v)
	case dataflow.Number:
		return t.constant([]int64{1, 1}, float32(v.Number)), nil
	case dataflow.Mask:
		return t.Node("Expand", []string{t.constant([]int64{1, 1}, 1), t.shape(t.count(v.Place), v.Width)}), nil
	case dataflow.Property:
		return t.properties[v.Name], nil
	case dataflow.Source:
		return t.Node("Gather", []string{args[0], t.ends[dataflow.AtSource]}, onnx.Int("axis", 0)), nil
	case dataflow.Target:
		return t.Node("Gather", []string{args[0], t.ends[dataflow.AtTarget]}, onnx.Int("axis", 0)), nil
	case dataflow.GatherSum:
		return t.scatter("add", 0, v.Width, v.End, args[0]), nil
	case dataflow.GatherMax:
		none := float32(math.Inf(-1))
		most := t.scatter("max", none, v.Width, v.End, args[0])
		empty := t.Node("Equal", []string{t.degrees(v.End), t.constant([]int64{1, 1}, 0)})
		return t.Node("Where", []string{empty, t.constant([]int64{1, 1}, 0), most}), nil
	case dataflow.SumRows:
		return t.Node("ReduceSum", []string{args[0], t.wholes(0)}, onnx.Int("keepdims", 1)), nil
	case dataflow.Product:
		return t.Node("MatMul", args), nil
	case dataflow.ProductTransposed:
		return t.Node("MatMul", []string{args[0], t.Node("Transpose", args[1:])}), nil
	case dataflow.Repeat:
		return t.Node("Expand", []string{args[0], t.shape(t.vertices, v.Width)}), nil
	}
	return t.row(v, args)
}

// input is what a vertex brings along.
func (t *translation) input(v *dataflow.Value) (string, error) {
	switch v.Name {
	case neural.InputFeatures:
		return InputFeatures, nil
	case neural.InputInDegree:
		return t.degrees(dataflow.AtTarget), nil
	case neural.InputOutDegree:
		return t.degrees(dataflow.AtSource), nil
	}
	return "", &UnsupportedError{v.String()}
}

// row makes what is computed row by row.
func (t *translation) row(v *dataflow.Value, args []string) (string, error) {
	switch v.Op {
	case dataflow.SumParts:
		parts := t.Node("Reshape", []string{args[0], t.wholes(-1, int64(v.Width), int64(v.Args[0].Width/v.Width))})
		return t.Node("ReduceSum", []string{parts, t.wholes(2)}, onnx.Int("keepdims", 0)), nil
	case dataflow.Spread:
		return t.spread(args[0], v.Args[0].Width, v.Width), nil
	case dataflow.Join:
		return t.Node("Concat", args, onnx.Int("axis", 1)), nil
	case dataflow.Part:
		from := int64(v.Number)
		return t.Node("Slice", []string{args[0], t.wholes(from), t.wholes(from + int64(v.Width)), t.wholes(1)}), nil
	case dataflow.LeakyRelu:
		return t.Node("LeakyRelu", args, onnx.Float("alpha", float32(v.Number))), nil
	}
	operator, known := operators[v.Op]
	if !known {
		return "", &UnsupportedError{v.String()}
	}
	for i, a := range v.Args {
		args[i] = t.spread(args[i], a.Width, v.Width)
	}
	made := t.Node(operator, args)
	switch v.Op {
	case dataflow.Equal, dataflow.Greater:
		made = t.Node("Cast", []string{made}, onnx.Int("to", int64(onnx.Float32)))
	case dataflow.Divide: // by 0 it gives 0
		zero := t.constant([]int64{1, 1}, 0)
		made = t.Node("Where", []string{t.Node("Equal", []string{args[1], zero}), zero, made})
	}
	return made, nil
}

// spread repeats each number of narrow rows, so that they are wide.
func (t *translation) spread(rows string, narrow, wide int) string {
	if narrow == wide {
		return rows
	}
	apart := t.Node("Unsqueeze", []string{rows, t.wholes(2)})
	each := t.Node("Expand", []string{apart, t.wholes(1, 1, int64(wide/narrow))})
	return t.Node("Reshape", []string{each, t.wholes(-1, int64(wide))})
}
