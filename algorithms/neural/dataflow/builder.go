package dataflow

import (
	"cmp"
	"slices"
)

// Builder makes values, each once. Its zero value is not ready; see NewBuilder.
//
// Widths fit if the narrower divides the wider; Fits says so. What is asked of a Builder must fit and must not mix
// rows of vertices with rows of edges: package neural checks the user's expressions first.
type Builder struct {
	values []*Value
	known  map[key]*Value
	plain  bool
}

// key is what makes two values one.
type key struct {
	op     Op
	place  Place
	args   [2]int
	name   string
	number float64
	rows   int
	width  int
	draw   int
	end    End
	varies bool
}

// NewBuilder makes a Builder. A plain one neither hoists nor factors out: it is there to measure what these bring.
func NewBuilder(plain bool) *Builder { return &Builder{known: map[key]*Value{}, plain: plain} }

// Values lists all values, arguments before what is made of them.
func (b *Builder) Values() []*Value { return b.values }

// Fits says whether rows of these widths can be combined element by element.
func Fits(a, b int) bool { return a > 0 && b > 0 && max(a, b)%min(a, b) == 0 }

// Input is a vertex value that is given.
func (b *Builder) Input(name string, width int) *Value {
	return b.add(Value{Op: Input, Place: Vertices, Name: name, Width: width})
}

// Varying is a vertex value that is given anew each time: rows that are learned, or what comes of other values.
func (b *Builder) Varying(name string, width int) *Value {
	return b.add(Value{Op: Input, Place: Vertices, Name: name, Width: width, Varies: true})
}

// Parameter is a matrix that is learned.
func (b *Builder) Parameter(name string, rows, width int) *Value {
	return b.add(Value{Op: Parameter, Rows: rows, Width: width, Name: name})
}

// Number is a constant.
func (b *Builder) Number(x float64) *Value {
	return b.add(Value{Op: Number, Rows: 1, Width: 1, Number: x})
}

// Property is a numeric property of edges.
func (b *Builder) Property(name string) *Value {
	return b.add(Value{Op: Property, Place: Edges, Name: name, Width: 1})
}

// Mask is the factors of a dropout with this rate for all elements of like. Draw tells the dropouts of a model apart.
func (b *Builder) Mask(like *Value, rate float64, draw int) *Value {
	return b.add(Value{Op: Mask, Place: like.Place, Rows: like.Rows, Width: like.Width, Number: rate, Draw: draw})
}

// At is a vertex value at one end of each edge.
func (b *Builder) At(end End, x *Value) *Value {
	if x.Place == Parameters {
		return x
	}
	op := Target
	if end == AtSource {
		op = Source
	}
	return b.add(Value{Op: op, Place: Edges, Width: x.Width, Args: []*Value{x}})
}

// Unary is an operator of one argument; number is its slope, if it has one.
func (b *Builder) Unary(op Op, x *Value, number float64) *Value {
	return b.hoist(Value{Op: op, Width: x.Width, Number: number, Args: []*Value{x}})
}

// Binary is an operator of two arguments whose widths fit.
func (b *Builder) Binary(op Op, x, y *Value) *Value {
	if !b.plain { // what is narrower is repeated anyway
		x = unspread(x, y)
		y = unspread(y, x)
	}
	if (op == Add || op == Multiply || op == Max) && x.ID > y.ID {
		x, y = y, x // these are commutative, so that both orders are one value
	}
	if !b.plain && max(x.Place, y.Place) == Edges {
		switch op {
		case Multiply:
			return b.product(x, y)
		case Divide:
			return b.quotient(x, y)
		}
	}
	return b.hoist(Value{Op: op, Width: max(x.Width, y.Width), Args: []*Value{x, y}})
}

// unspread is what x repeats, if that with y gives the same row.
func unspread(x, y *Value) *Value {
	if x.Op == Spread && x.Width <= y.Width {
		return x.Args[0]
	}
	return x
}

// Product is x·p, where x has as many columns as p has rows.
func (b *Builder) Product(x, p *Value) *Value {
	return b.hoist(Value{Op: Product, Width: p.Width, Args: []*Value{x, p}})
}

// ProductTransposed is x·pᵀ, where x has as many columns as p.
func (b *Builder) ProductTransposed(x, p *Value) *Value {
	return b.hoist(Value{Op: ProductTransposed, Width: p.Rows, Args: []*Value{x, p}})
}

// Outer is Σ xᵀ·y over the rows of x and y, which lie at the same place.
func (b *Builder) Outer(x, y *Value) *Value {
	return b.add(Value{Op: Outer, Rows: x.Width, Width: y.Width, Args: []*Value{x, y}})
}

// SumRows adds up all rows of x.
func (b *Builder) SumRows(x *Value) *Value {
	if x.Place == Edges {
		x = b.Gather(GatherSum, AtTarget, x)
	}
	return b.add(Value{Op: SumRows, Rows: 1, Width: x.Width, Args: []*Value{x}})
}

// Repeat is the one row of a parameter for each vertex.
func (b *Builder) Repeat(x *Value) *Value {
	return b.add(Value{Op: Repeat, Place: Vertices, Width: x.Width, Args: []*Value{x}})
}

// SumParts adds up each of width equal parts of a row.
func (b *Builder) SumParts(x *Value, width int) *Value {
	if x.Width == width {
		return x
	}
	return b.hoist(Value{Op: SumParts, Width: width, Args: []*Value{x}})
}

// Spread repeats each number of a row so that the row has this width.
func (b *Builder) Spread(x *Value, width int) *Value {
	if x.Width == width {
		return x
	}
	return b.hoist(Value{Op: Spread, Width: width, Args: []*Value{x}})
}

// Join puts the rows of y behind those of x.
func (b *Builder) Join(x, y *Value) *Value {
	return b.hoist(Value{Op: Join, Width: x.Width + y.Width, Args: []*Value{x, y}})
}

// Part is width columns of x from column from on.
func (b *Builder) Part(x *Value, from, width int) *Value {
	if width == x.Width {
		return x
	}
	return b.hoist(Value{Op: Part, Width: width, Number: float64(from), Args: []*Value{x}})
}

// CrossEntropy is the loss of logits where class, of width 1, is the right one.
func (b *Builder) CrossEntropy(logits, class *Value) *Value {
	return b.hoist(Value{Op: CrossEntropy, Width: 1, Args: []*Value{logits, class}})
}

// Gather adds up the edge value x at one end of the edges, or takes the largest.
func (b *Builder) Gather(op Op, end End, x *Value) *Value {
	if op == GatherSum && !b.plain {
		if own, rest := b.factors(end, x); own != nil && rest != nil {
			return b.Binary(Multiply, b.Gather(op, end, rest), own)
		}
		if sum := linearSum(b, end, x); sum != nil {
			return sum
		}
	}
	return b.add(Value{Op: op, Place: Vertices, Width: x.Width, End: end, Args: []*Value{x}})
}

// hoist makes v. If v is of edges, and all its arguments are from the same end, it is made of the vertices there.
func (b *Builder) hoist(v Value) *Value {
	for _, a := range v.Args {
		v.Place = max(v.Place, a.Place)
	}
	if v.Place == Parameters {
		v.Rows = v.Args[0].Rows
		if len(v.Args) == 2 && v.Op.IsBinary() {
			v.Rows = max(v.Rows, v.Args[1].Rows)
		}
	}
	if end, ok := oneEnd(v.Args); ok && v.Place == Edges && !b.plain {
		v.Place = Vertices
		v.Args = slices.Clone(v.Args)
		for i, a := range v.Args {
			if a.Place == Edges {
				v.Args[i] = a.Args[0]
			}
		}
		return b.At(end, b.add(v))
	}
	return b.add(v)
}

// oneEnd says at which end of the edges all values are that are of edges.
func oneEnd(values []*Value) (end End, ok bool) {
	var op Op
	for _, v := range values {
		switch {
		case v.Place != Edges:
			continue
		case v.Op != Source && v.Op != Target, ok && v.Op != op:
			return 0, false
		}
		op, ok = v.Op, true
	}
	if op == Source {
		end = AtSource
	}
	return end, ok
}

// product multiplies at edges: all factors from the source become one, all from the target another, narrow ones
// first, so that as little as possible is left to do for each edge.
func (b *Builder) product(x, y *Value) *Value {
	var ends [2]*Value
	var rest *Value
	times := func(p, q *Value) *Value {
		if p == nil {
			return q
		}
		return b.hoist(Value{Op: Multiply, Width: max(p.Width, q.Width), Args: []*Value{p, q}})
	}
	all := factorsOf(y, factorsOf(x, nil))
	slices.SortStableFunc(all, func(p, q *Value) int { return cmp.Or(cmp.Compare(p.Width, q.Width), p.ID-q.ID) })
	for _, f := range all {
		switch {
		case f.Op == Source:
			ends[AtSource] = times(ends[AtSource], f)
		case f.Op == Target, f.Place == Parameters:
			ends[AtTarget] = times(ends[AtTarget], f)
		default:
			rest = times(rest, f)
		}
	}
	parts := slices.DeleteFunc([]*Value{rest, ends[AtSource], ends[AtTarget]}, func(v *Value) bool { return v == nil })
	slices.SortStableFunc(parts, func(p, q *Value) int { return cmp.Compare(p.Width, q.Width) })
	made := parts[0]
	for _, p := range parts[1:] {
		made = times(made, p)
	}
	return made
}

// quotient divides at edges. A divisor from one end becomes a factor, 1 divided by it, which is the vertex's to
// compute.
func (b *Builder) quotient(x, y *Value) *Value {
	divide := func(x, y *Value) *Value {
		return b.hoist(Value{Op: Divide, Width: max(x.Width, y.Width), Args: []*Value{x, y}})
	}
	for _, f := range factorsOf(y, nil) {
		if f.Op == Source || f.Op == Target {
			x = b.Binary(Multiply, x, divide(b.Number(1), f))
		} else {
			x = divide(x, f)
		}
	}
	return x
}

// factorsOf appends the factors of an edge value to list.
func factorsOf(v *Value, list []*Value) []*Value {
	if v.Op == Multiply && v.Place == Edges {
		return factorsOf(v.Args[1], factorsOf(v.Args[0], list))
	}
	return append(list, v)
}

// factors parts an edge value x = own·rest, where own is a vertex value at end, or a number. A missing part is nil.
func (b *Builder) factors(end End, x *Value) (own, rest *Value) {
	op := Target
	if end == AtSource {
		op = Source
	}
	for _, f := range factorsOf(x, nil) {
		part := &rest
		switch {
		case f.Op == op:
			part, f = &own, f.Args[0]
		case f.Place == Parameters:
			part = &own
		}
		if *part != nil {
			f = b.Binary(Multiply, *part, f)
		}
		*part = f
	}
	return own, rest
}

// add is the value that is made as v is.
func (b *Builder) add(v Value) *Value {
	k := key{op: v.Op, place: v.Place, args: [2]int{-1, -1}, name: v.Name, number: v.Number, rows: v.Rows,
		width: v.Width, draw: v.Draw, end: v.End, varies: v.Varies}
	for i, a := range v.Args {
		k.args[i] = a.ID
	}
	if known := b.known[k]; known != nil {
		return known
	}
	v.ID = len(b.values)
	made := &v
	b.values = append(b.values, made)
	b.known[k] = made
	return made
}
