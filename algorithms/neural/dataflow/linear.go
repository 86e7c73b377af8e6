package dataflow

import "slices"

// A sum over the edges into v is linear in what v itself has, also within scalar products. With g of v, and s and x of
// the edges:
//
//	Σ s · dot(x, g)        is dot(Σ s·x, g)
//	Σ s · (dot(x, g) + c)  is dot(Σ s·x, g) + Σ s·c
//
// So the gradient of attention needs no scalar product at an edge, and often no look at the edges of its own: Σ s·x can
// be added up where x is looked at anyway.

// linearSum is the sum of x over the edges at end, with scalar products taken out of it; nil if there are none.
func linearSum(b *Builder, end End, x *Value) *Value {
	rest := factorsOf(x, nil)
	at := slices.IndexFunc(rest, func(f *Value) bool { return hasDot(end, f, x.Width) })
	if at < 0 {
		return nil
	}
	f := rest[at]
	rest = slices.Delete(rest, at, at+1)
	times := func(v *Value) *Value {
		for _, r := range rest {
			v = b.Binary(Multiply, v, r)
		}
		return v
	}
	if f.Op == SumParts {
		own, other := b.factors(end, f.Args[0])
		return b.SumParts(b.Binary(Multiply, own, b.Gather(GatherSum, end, times(other))), x.Width)
	}
	return b.Binary(Add, b.Gather(GatherSum, end, times(f.Args[0])), b.Gather(GatherSum, end, times(f.Args[1])))
}

// hasDot says whether a factor of an edge value of this width is a scalar product with what the vertex at end has, or a
// sum with such a term.
func hasDot(end End, f *Value, width int) bool {
	if f.Place != Edges {
		return false
	}
	switch f.Op {
	case SumParts:
		own, others := 0, 1
		for _, g := range factorsOf(f.Args[0], nil) {
			switch {
			case isAt(end, g):
				own++
			case g.Place == Edges:
				others = max(others, g.Width)
			}
		}
		return own > 0 && f.Width == width && Fits(others, width)
	case Add:
		terms := factorsOf(f.Args[1], factorsOf(f.Args[0], nil))
		return f.Args[0].Place == Edges && f.Args[1].Place == Edges &&
			slices.ContainsFunc(terms, func(g *Value) bool { return hasDot(end, g, width) })
	}
	return false
}

// isAt says whether an edge value is a row of the vertex at an end.
func isAt(end End, v *Value) bool {
	return v.Op == Source && end == AtSource || v.Op == Target && end == AtTarget
}

// Largest is the largest of the edge value x over the edges at end, but of a vertex without edges it may be anything.
// What does not change which is the largest is left for the vertices.
func (b *Builder) Largest(end End, x *Value) *Value {
	switch {
	case b.plain || x.Place != Edges:
	case x.Op == LeakyRelu && x.Number >= 0, x.Op == Relu, x.Op == Elu, x.Op == Tanh, x.Op == Sigmoid:
		return b.Unary(x.Op, b.Largest(end, x.Args[0]), x.Number)
	case x.Op == Add && isAt(end, x.Args[0]) && x.Args[1].Place == Edges && x.Args[1].Width == x.Width:
		return b.Binary(Add, x.Args[0].Args[0], b.Largest(end, x.Args[1]))
	case x.Op == Add && isAt(end, x.Args[1]) && x.Args[0].Place == Edges && x.Args[0].Width == x.Width:
		return b.Binary(Add, b.Largest(end, x.Args[0]), x.Args[1].Args[0])
	}
	return b.Gather(GatherMax, end, x)
}
