package lowering

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// operators adds operators to a model, which know the dimensions of what they bring.
type operators struct {
	Model
	inputs map[string]tensor
}

// input declares an operand once.
func (w *operators) input(kind Kind, v *dataflow.Value, name string, t onnx.Type, dims ...int64) tensor {
	if known, ok := w.inputs[name]; ok {
		return known
	}
	made := tensor{w.Graph.Input(name, t, dims...), dims}
	w.inputs[name] = made
	w.Inputs = append(w.Inputs, Operand{kind, name, v, t, dims})
	return made
}

// output declares what a tensor is the model's result of.
func (w *operators) output(kind Kind, v *dataflow.Value, x tensor) {
	name := fmt.Sprintf("out%d", v.ID)
	w.Graph.As(name, "Identity", []string{x.name})
	w.Graph.Output(name, onnx.Float32, x.dims...)
	w.Outputs = append(w.Outputs, Operand{kind, name, v, onnx.Float32, x.dims})
}

// node adds an operator that brings a tensor of such dimensions.
func (w *operators) node(operator string, dims []int64, args []tensor, attributes ...onnx.Attribute) tensor {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.name
	}
	w.Scratch += bytesOf(dims, onnx.Float32)
	return tensor{w.Graph.Node(operator, names, attributes...), dims}
}

// meet is an operator of two or three tensors, repeated to fit each other.
func (w *operators) meet(operator string, args ...tensor) tensor {
	dims := args[0].dims
	for _, a := range args[1:] {
		dims = repeated(dims, a.dims)
	}
	return w.node(operator, dims, args)
}

// repeated are the dimensions of what comes of two tensors where a dimension of 1 is repeated.
func repeated(a, b []int64) []int64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	dims := slices.Clone(a)
	for i, d := range b {
		at := i + len(a) - len(b)
		dims[at] = max(dims[at], d)
	}
	return dims
}

// number is a constant.
func (w *operators) number(x float64) tensor {
	return tensor{w.Graph.Initializer(onnx.Scalar("", float32(x))), nil}
}

// ints is a constant list, as of dimensions.
func (w *operators) ints(list ...int64) tensor {
	return tensor{w.Graph.Initializer(onnx.Vector("", list...)), []int64{int64(len(list))}}
}

func (w *operators) reshape(x tensor, dims ...int64) tensor {
	if slices.Equal(x.dims, dims) {
		return x
	}
	return w.node("Reshape", dims, []tensor{x, w.ints(dims...)})
}

func (w *operators) expand(x tensor, dims ...int64) tensor {
	if slices.Equal(x.dims, dims) {
		return x
	}
	return w.node("Expand", dims, []tensor{x, w.ints(dims...)})
}

// transpose puts dimension order[i] at i.
func (w *operators) transpose(x tensor, order ...int64) tensor {
	dims := make([]int64, len(order))
	for i, from := range order {
		dims[i] = x.dims[from]
	}
	return w.node("Transpose", dims, []tensor{x}, onnx.Ints("perm", order...))
}

// reduce takes the sum or the largest along a dimension, of which 1 is left.
func (w *operators) reduce(operator string, x tensor, axis int) tensor {
	dims := slices.Clone(x.dims)
	dims[axis] = 1
	return w.node(operator, dims, []tensor{x, w.ints(int64(axis))})
}

// product is the matrix product of the last two dimensions.
func (w *operators) product(x, y tensor) tensor {
	dims := slices.Clone(x.dims)
	dims[len(dims)-1] = y.dims[len(y.dims)-1]
	return w.node("MatMul", dims, []tensor{x, y})
}

// truth is 1 or 0.
func (w *operators) truth(x tensor) tensor {
	return w.node("Cast", x.dims, []tensor{x}, onnx.Int("to", int64(onnx.Float32)))
}
