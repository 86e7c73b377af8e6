package dataflow

// Gradient makes the gradients of loss, a parameter of 1 × 1, with respect to each of the parameters: reverse-mode
// automatic differentiation, value by value. A parameter on which the loss does not depend has no gradient, nil.
//
// What a value is made of has a smaller ID, so that walking IDs downward meets each value after all that use it.
func Gradient(b *Builder, loss *Value, parameters []*Value) []*Value {
	d := &differentiation{Builder: b, learned: dependents(b.Values(), parameters),
		adjoint: map[*Value]*Value{loss: b.Number(1)}}
	below := b.Values()[:loss.ID+1]
	for i := len(below) - 1; i >= 0; i-- {
		if v := below[i]; d.adjoint[v] != nil && d.learned[v] {
			d.backward(v, d.adjoint[v])
		}
	}
	gradients := make([]*Value, len(parameters))
	for i, p := range parameters {
		gradients[i] = d.adjoint[p]
	}
	return gradients
}

// dependents says which values depend on one of roots. Nothing passes Stop.
func dependents(values, roots []*Value) map[*Value]bool {
	depends := map[*Value]bool{}
	for _, r := range roots {
		depends[r] = true
	}
	for _, v := range values {
		for _, a := range v.Args {
			if depends[a] && v.Op != Stop {
				depends[v] = true
			}
		}
	}
	return depends
}

// differentiation is what Gradient knows on its way.
type differentiation struct {
	*Builder
	learned map[*Value]bool // depends on a parameter
	adjoint map[*Value]*Value
}

// give adds g, of the same place as what made it, to the adjoint of x: what was repeated to fit is added up.
func (d *differentiation) give(x, g *Value) {
	if !d.learned[x] {
		return
	}
	if x.Width < g.Width {
		g = d.SumParts(g, x.Width)
	} else {
		g = d.Spread(g, x.Width)
	}
	switch {
	case x.Place == Parameters && (g.Place != Parameters || g.Rows > x.Rows):
		g = d.SumRows(g)
	case x.Place != Parameters && g.Place == Parameters:
		g = d.Repeat(g)
		if x.Place == Edges {
			g = d.At(AtTarget, g)
		}
	}
	if before := d.adjoint[x]; before != nil {
		g = d.Binary(Add, before, g)
	}
	d.adjoint[x] = g
}

// backward gives to the arguments of v what the adjoint g of v means to them.
func (d *differentiation) backward(v, g *Value) {
	switch {
	case v.Op.IsUnary():
		if s := d.slope(v); s != nil {
			d.give(v.Args[0], d.Binary(Multiply, g, s))
		}
	case v.Op.IsBinary():
		d.binary(v, g)
	case v.Op.isGather():
		d.gather(v, g)
	default:
		d.linear(v, g)
	}
}

// linear does it for the operators that are linear in each argument, and the loss.
func (d *differentiation) linear(v, g *Value) {
	switch v.Op {
	case Source:
		d.give(v.Args[0], d.Gather(GatherSum, AtSource, g))
	case Target:
		d.give(v.Args[0], d.Gather(GatherSum, AtTarget, g))
	case SumRows:
		d.give(v.Args[0], d.Repeat(g))
	case Repeat:
		d.give(v.Args[0], d.SumRows(g))
	case Product:
		x, p := v.Args[0], v.Args[1]
		d.give(x, d.ProductTransposed(g, p))
		d.give(p, d.Outer(x, g))
	case SumParts:
		d.give(v.Args[0], d.Spread(g, v.Args[0].Width))
	case Spread:
		d.give(v.Args[0], d.SumParts(g, v.Args[0].Width))
	case Join:
		x, y := v.Args[0], v.Args[1]
		d.give(x, d.Part(g, 0, x.Width))
		d.give(y, d.Part(g, x.Width, y.Width))
	case Part:
		d.give(v.Args[0], d.within(g, int(v.Number), v.Args[0].Width))
	case CrossEntropy:
		slope := d.hoist(Value{Op: CrossEntropySlope, Width: v.Args[0].Width, Args: v.Args})
		d.give(v.Args[0], d.Binary(Multiply, slope, g))
	}
}

// within is g as the columns from from on of a row of this width, with zeros around.
func (d *differentiation) within(g *Value, from, width int) *Value {
	zeros := func(width int) *Value { return d.Binary(Multiply, d.Spread(d.Part(g, 0, 1), width), d.Number(0)) }
	if from > 0 {
		g = d.Join(zeros(from), g)
	}
	if g.Width < width {
		g = d.Join(g, zeros(width-g.Width))
	}
	return g
}

// slope is the derivative of a unary operator; nil if it is 0.
func (d *differentiation) slope(v *Value) *Value {
	x := v.Args[0]
	switch v.Op {
	case Negate:
		return d.Number(-1)
	case Relu:
		return d.Unary(Positive, x, 0)
	case LeakyRelu:
		return d.Unary(LeakySlope, x, v.Number)
	case Elu:
		return d.Unary(EluSlope, x, 0)
	case Sigmoid:
		return d.Binary(Multiply, v, d.Binary(Subtract, d.Number(1), v))
	case Tanh:
		return d.Binary(Subtract, d.Number(1), d.Binary(Multiply, v, v))
	case Exp:
		return v
	case Log:
		return d.Binary(Divide, d.Number(1), x)
	case Sqrt:
		return d.Binary(Divide, d.Number(0.5), v)
	case Softplus:
		return d.Unary(Sigmoid, x, 0)
	case Abs:
		return d.Unary(Sign, x, 0)
	}
	return nil
}

func (d *differentiation) binary(v, g *Value) {
	x, y := v.Args[0], v.Args[1]
	switch v.Op {
	case Add:
		d.give(x, g)
		d.give(y, g)
	case Subtract:
		d.give(x, g)
		d.give(y, d.Unary(Negate, g, 0))
	case Multiply:
		d.give(x, d.Binary(Multiply, g, y))
		d.give(y, d.Binary(Multiply, g, x))
	case Divide:
		d.give(x, d.Binary(Divide, g, y))
		d.give(y, d.Unary(Negate, d.Binary(Divide, d.Binary(Multiply, g, v), y), 0))
	case Max:
		first := d.Binary(Greater, x, y)
		d.give(x, d.Binary(Multiply, g, first))
		d.give(y, d.Binary(Multiply, g, d.Binary(Subtract, d.Number(1), first)))
	}
}

// gather sends g back along the edges. The largest is shared by the edges that have it.
func (d *differentiation) gather(v, g *Value) {
	x := v.Args[0]
	if v.Op == GatherSum {
		d.give(x, d.At(v.End, g))
		return
	}
	won := d.Binary(Equal, x, d.At(v.End, v))
	share := d.Binary(Divide, g, d.Binary(Max, d.Gather(GatherSum, v.End, won), d.Number(1)))
	d.give(x, d.Binary(Multiply, won, d.At(v.End, share)))
}
