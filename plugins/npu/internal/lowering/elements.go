package lowering

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// unary are the operators of one argument that ONNX has as they are.
var unary = map[dataflow.Op]string{dataflow.Negate: "Neg", dataflow.Relu: "Relu", dataflow.Elu: "Elu",
	dataflow.Sigmoid: "Sigmoid", dataflow.Tanh: "Tanh", dataflow.Exp: "Exp", dataflow.Log: "Log", dataflow.Sqrt: "Sqrt",
	dataflow.Softplus: "Softplus", dataflow.Abs: "Abs", dataflow.Sign: "Sign", dataflow.Stop: "Identity"}

// binary are those of two.
var binary = map[dataflow.Op]string{dataflow.Add: "Add", dataflow.Subtract: "Sub", dataflow.Multiply: "Mul",
	dataflow.Max: "Max"}

// elements makes v of its arguments, whose widths lie along an axis: what is computed row by row, wherever rows lie.
func (w *writer) elements(v *dataflow.Value, axis int, args []tensor) (tensor, error) {
	x := args[0]
	switch {
	case v.Op.IsUnary():
		return w.unary(v, x)
	case v.Op.IsBinary():
		return w.binary(v, axis, x, args[1])
	}
	width := int64(v.Width)
	switch v.Op {
	case dataflow.SumParts:
		return w.merge(w.reduce("ReduceSum", w.parts(x, axis, width), axis+1), axis), nil
	case dataflow.Spread:
		parts := w.parts(x, axis, x.dims[axis])
		dims := slices.Clone(parts.dims)
		dims[axis+1] = width / dims[axis]
		return w.merge(w.expand(parts, dims...), axis), nil
	case dataflow.Join:
		return w.join(v, axis, x, args[1]), nil
	case dataflow.Part:
		from := int64(v.Number)
		dims := slices.Clone(x.dims)
		dims[axis] = width
		return w.node("Slice", dims, []tensor{x, w.ints(from), w.ints(from + width), w.ints(int64(axis))}), nil
	case dataflow.CrossEntropy, dataflow.CrossEntropySlope:
		return w.crossEntropy(v.Op, axis, x, args[1]), nil
	}
	return tensor{}, lacking(v)
}

// lacking is an operator that cannot be written.
func lacking(v *dataflow.Value) error {
	return plugins.Errorf(plugins.KindUnsupported, "the operator %v (%v) is none of this device", v.Op, v)
}

func (w *writer) unary(v *dataflow.Value, x tensor) (tensor, error) {
	above := func() tensor { return w.meet("Greater", x, w.number(0)) }
	switch v.Op {
	case dataflow.LeakyRelu:
		return w.node("LeakyRelu", x.dims, []tensor{x}, onnx.Float("alpha", float32(v.Number))), nil
	case dataflow.Positive:
		return w.truth(above()), nil
	case dataflow.LeakySlope:
		return w.meet("Where", above(), w.number(1), w.number(v.Number)), nil
	case dataflow.EluSlope:
		return w.meet("Where", above(), w.number(1), w.meet("Exp", x)), nil
	}
	if unary[v.Op] == "" {
		return tensor{}, lacking(v)
	}
	return w.meet(unary[v.Op], x), nil
}

// binary has each number of the narrower go with a part of the wider.
func (w *writer) binary(v *dataflow.Value, axis int, x, y tensor) (tensor, error) {
	narrow := min(x.dims[axis], y.dims[axis])
	apart := x.dims[axis] != y.dims[axis] && narrow > 1
	if apart {
		x, y = w.parts(x, axis, narrow), w.parts(y, axis, narrow)
	}
	made, err := w.same(v, x, y)
	if apart {
		made = w.merge(made, axis)
	}
	return made, err
}

func (w *writer) same(v *dataflow.Value, x, y tensor) (tensor, error) {
	switch v.Op {
	case dataflow.Divide: // by 0 it is 0
		none := w.meet("Equal", y, w.number(0))
		return w.meet("Where", none, w.number(0), w.meet("Div", x, w.meet("Where", none, w.number(1), y))), nil
	case dataflow.Greater:
		return w.truth(w.meet("Greater", x, y)), nil
	case dataflow.Equal:
		return w.truth(w.equal(x, y)), nil
	}
	if binary[v.Op] == "" {
		return tensor{}, lacking(v)
	}
	return w.meet(binary[v.Op], x, y), nil
}

// nearness is by how much of itself a number may be off to be equal.
const nearness = 1.0 / (1 << 18)

// equal allows for the rounding of what is computed twice. A gradient of a gather of the largest asks which edges have
// it, in a stage that may compute their values in another place of its matrices; and the runtime computes a number in
// one place of a vector in another way than in others.
func (w *writer) equal(x, y tensor) tensor {
	off := w.meet("Abs", w.meet("Sub", x, y))
	near := w.meet("Less", off, w.meet("Mul", w.meet("Abs", y), w.number(nearness)))
	return w.meet("Or", near, w.meet("Equal", x, y)) // infinities are equal to themselves alone
}

// parts makes an axis two: so many parts, and the numbers of each.
func (w *operators) parts(x tensor, axis int, parts int64) tensor {
	return w.reshape(x, slices.Concat(x.dims[:axis], []int64{parts, x.dims[axis] / parts}, x.dims[axis+1:])...)
}

// merge makes an axis and the next one again.
func (w *operators) merge(x tensor, axis int) tensor {
	return w.reshape(x, slices.Concat(x.dims[:axis], []int64{x.dims[axis] * x.dims[axis+1]}, x.dims[axis+2:])...)
}

// join puts y behind x along an axis.
func (w *writer) join(v *dataflow.Value, axis int, x, y tensor) tensor {
	like := func(a, b tensor) tensor {
		dims := repeated(a.dims, b.dims)
		dims[axis] = a.dims[axis]
		return w.expand(a, dims...)
	}
	x, y = like(x, y), like(y, x)
	dims := slices.Clone(x.dims)
	dims[axis] = int64(v.Width)
	return w.node("Concat", dims, []tensor{x, y}, onnx.Int("axis", int64(axis)))
}

// crossEntropy is the loss of logits along an axis, or its gradient; 0 where the class is below 0.
func (w *writer) crossEntropy(op dataflow.Op, axis int, logits, class tensor) tensor {
	places := make([]float32, logits.dims[axis])
	for i := range places {
		places[i] = float32(i)
	}
	dims := make([]int64, len(logits.dims))
	for i := range dims {
		dims[i] = 1
	}
	dims[axis] = logits.dims[axis]
	place := tensor{w.Graph.Initializer(onnx.Values("", dims, places...)), dims}
	right := w.truth(w.meet("Equal", place, class))
	none := w.meet("Less", class, w.number(0))
	most := w.reduce("ReduceMax", logits, axis)
	shares := w.meet("Exp", w.meet("Sub", logits, most))
	sum := w.reduce("ReduceSum", shares, axis)
	if op == dataflow.CrossEntropySlope {
		return w.meet("Where", none, w.number(0), w.meet("Sub", w.meet("Div", shares, sum), right))
	}
	picked := w.reduce("ReduceSum", w.meet("Mul", logits, right), axis)
	return w.meet("Where", none, w.number(0), w.meet("Sub", w.meet("Add", w.meet("Log", sum), most), picked))
}
