package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// translation makes values of the expressions of a layer, whose widths are known.
type translation struct {
	*compiler
	layer        int
	heads        int
	edge, vertex *node // edge is nil where the layer looks at no edges
	op           dataflow.Op
	mean         bool
	learned      map[string]*dataflow.Value
	prefix       string // of the names of parameters
	decay        bool
}

func (t *translation) parse(p place, s *shaper, to **node) (*width, error) {
	if p.source == "" {
		return nil, &ModelError{p.model, p.where + " is missing"}
	}
	n, err := parse(p)
	if err != nil {
		return nil, err
	}
	*to = n
	return s.of(p, n)
}

func (t *translation) gather(accumulator string) error {
	switch accumulator {
	case "", "sum":
	case "mean":
		t.mean = true
	case "max":
		t.op = dataflow.GatherMax
	default:
		return t.wrong("layer %d: gather is %q; it must be sum, mean or max", t.layer+1, accumulator)
	}
	return nil
}

// learn makes the parameter of a name.
func (t *translation) learn(l *learned) {
	rows, wide := l.rows.value(), l.width.value()
	v := t.Parameter(t.prefix+"."+l.name, rows, wide)
	t.learned[l.name] = v
	made := Learned{Value: v, Fan: rows + wide, Decay: t.decay}
	switch l.use {
	case asBias:
		made.Start = Zeros
	case asScale:
		made.Start = Ones
	case asDot:
		made.Fan = wide/t.heads + 1
	}
	t.compiler.learned = append(t.compiler.learned, made)
}

// translate makes what the layer gives of h.
func (t *translation) translate(h *dataflow.Value) *dataflow.Value {
	names := t.names(h, "self.", func(v *dataflow.Value) *dataflow.Value { return v })
	if t.edge != nil {
		ends := t.names(h, "src.", func(v *dataflow.Value) *dataflow.Value { return t.At(t.sender(), v) })
		for name, v := range t.names(h, "dst.", func(v *dataflow.Value) *dataflow.Value { return t.At(t.receiver(), v) }) {
			ends[name] = v
		}
		for _, p := range t.schema.EdgeProperties {
			ends["edge."+p] = t.Property(p)
		}
		acc := t.sum(t.op, t.atEdges(t.value(t.edge, ends)))
		if t.mean {
			acc = t.Binary(dataflow.Divide, acc, t.Binary(dataflow.Max, t.Input(t.degrees()[0], 1), t.Number(1)))
		}
		names["acc"] = acc
	}
	return t.atVertices(t.value(t.vertex, names))
}

// sender and receiver are the ends of an edge that messages come from, and go to.
func (t *translation) sender() dataflow.End {
	if t.model.Reverse {
		return dataflow.AtTarget
	}
	return dataflow.AtSource
}

func (t *translation) receiver() dataflow.End { return 1 - t.sender() }

// degrees are the inputs that say from how many vertices messages come, and to how many they go.
func (t *translation) degrees() [2]string {
	if t.model.Reverse {
		return [2]string{InputOutDegree, InputInDegree}
	}
	return [2]string{InputInDegree, InputOutDegree}
}

// sum adds up x over the edges into each vertex; where some may be left out, it is an estimate of that.
func (t *translation) sum(op dataflow.Op, x *dataflow.Value) *dataflow.Value {
	acc := t.Gather(op, t.receiver(), x)
	if t.schema.Sampled && op == dataflow.GatherSum {
		acc = t.Binary(dataflow.Multiply, acc, t.Input(InputPerSample, 1))
	}
	return acc
}

// names are the values that a vertex has, at its place.
func (t *translation) names(h *dataflow.Value, qualifier string, at func(*dataflow.Value) *dataflow.Value,
) map[string]*dataflow.Value {
	return map[string]*dataflow.Value{
		qualifier + "h":          at(h),
		qualifier + "x":          at(t.features),
		qualifier + "in_degree":  at(t.Input(t.degrees()[0], 1)),
		qualifier + "out_degree": at(t.Input(t.degrees()[1], 1)),
	}
}

// atVertices and atEdges repeat an expression that is the same everywhere.
func (t *translation) atVertices(v *dataflow.Value) *dataflow.Value {
	if v.Place == dataflow.Parameters {
		return t.Repeat(v)
	}
	return v
}

func (t *translation) atEdges(v *dataflow.Value) *dataflow.Value {
	if v.Place == dataflow.Edges {
		return v
	}
	return t.At(t.receiver(), t.atVertices(v))
}

// value makes the value of an expression.
func (t *translation) value(n *node, names map[string]*dataflow.Value) *dataflow.Value {
	switch {
	case isLearned(n):
		return t.learned[n.name]
	case !n.call && n.name != "":
		return names[n.name]
	case !n.call:
		return t.Number(n.number)
	}
	var args []*dataflow.Value
	for _, a := range n.args {
		args = append(args, t.value(a, names))
	}
	return t.call(n, functionNamed(n.name), args)
}

func (t *translation) call(n *node, f *function, args []*dataflow.Value) *dataflow.Value {
	x := args[0]
	switch {
	case f.kind == multiply && isLearned(n.args[1]):
		return t.Product(x, args[1])
	case f.kind == heads:
		return t.SumParts(t.Binary(dataflow.Multiply, x, args[1]), t.heads)
	case f.kind == side:
		return t.Join(x, args[1])
	case f.kind == rows:
		return t.row(f, x)
	case f.op == dataflow.LeakyRelu:
		slope := 0.01
		if len(n.args) == 2 {
			slope = n.args[1].number
		}
		return t.Unary(f.op, x, slope)
	case len(args) == 1:
		return t.Unary(f.op, x, 0)
	}
	return t.Binary(f.op, x, args[1])
}

// row makes the functions of whole rows, and of all edges of a vertex.
func (t *translation) row(f *function, x *dataflow.Value) *dataflow.Value {
	switch f.name {
	case "dropout":
		return t.dropout(x)
	case "softmax":
		return t.softmax(x)
	case "normalize":
		length := t.Unary(dataflow.Sqrt, t.SumParts(t.Binary(dataflow.Multiply, x, x), 1), 0)
		return t.Binary(dataflow.Divide, x, t.Binary(dataflow.Max, length, t.Number(1e-12)))
	}
	return t.layerNorm(x)
}

// dropout drops elements of x. What is dropped out twice in a model is dropped the same: src.h and dst.h are one h.
func (t *translation) dropout(x *dataflow.Value) *dataflow.Value {
	switch x.Op {
	case dataflow.Source:
		return t.At(dataflow.AtSource, t.dropout(x.Args[0]))
	case dataflow.Target:
		return t.At(dataflow.AtTarget, t.dropout(x.Args[0]))
	}
	rate := t.model.Training.Dropout
	if rate == 0 {
		return x
	}
	if _, known := t.draws[x]; !known {
		t.draws[x] = len(t.draws)
	}
	return t.Binary(dataflow.Multiply, x, t.Mask(x, rate, t.draws[x]))
}

// softmax makes x over the edges into a vertex add up to 1. The largest is taken away first, so that nothing
// overflows; it makes no difference, so that no gradient needs to pass it.
func (t *translation) softmax(x *dataflow.Value) *dataflow.Value {
	x = t.atEdges(x)
	most := t.Unary(dataflow.Stop, t.Largest(t.receiver(), x), 0)
	e := t.Unary(dataflow.Exp, t.Binary(dataflow.Subtract, x, t.At(t.receiver(), most)), 0)
	return t.Binary(dataflow.Divide, e, t.At(t.receiver(), t.sum(dataflow.GatherSum, e)))
}

// layerNorm makes each row of mean 0 and variance 1: Ba, Kiros and Hinton, 2016.
func (t *translation) layerNorm(x *dataflow.Value) *dataflow.Value {
	wide := t.Number(1 / float64(x.Width))
	mean := t.Binary(dataflow.Multiply, t.SumParts(x, 1), wide)
	off := t.Binary(dataflow.Subtract, x, mean)
	variance := t.Binary(dataflow.Multiply, t.SumParts(t.Binary(dataflow.Multiply, off, off), 1), wide)
	return t.Binary(dataflow.Divide, off, t.Unary(dataflow.Sqrt, t.Binary(dataflow.Add, variance, t.Number(1e-5)), 0))
}
