package network

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// graph is what all passes of a task read.
type graph struct {
	vertices int
	ends     [2]*edges // by dataflow.End; nil: of a network that looks at no edges
	inputs   map[string]*input
	given    map[*dataflow.Value]*buffer // parameters
	anew     bool                        // each pass has another graph: nothing is computed once
}

// compiler makes steps of values, arguments first.
type compiler struct {
	*graph
	fixed   map[*dataflow.Value]bool
	partOf  map[*dataflow.Value]bool // of what reads it: it has no rows of its own
	sparse  map[*dataflow.Value]bool
	known   map[*dataflow.Value]*buffer // where the numbers of values are; of sparse ones, those that are not 0
	written map[step][]*code
	steps   [2][]step // once, and each time
	codes   []*code

	// Of a stage that is computed interval by interval.
	end       dataflow.End
	own       map[*dataflow.Value]*buffer // where values are to be
	cell      *cell                       // nil: all edges are there
	farValues []*dataflow.Value           // of a wave
	far       []*buffer                   // their rows
}

// newCompiler looks at the values that roots are made of.
func newCompiler(g *graph, values, roots []*dataflow.Value) *compiler {
	c := &compiler{graph: g, fixed: dataflow.Fixed(values), partOf: map[*dataflow.Value]bool{},
		known: map[*dataflow.Value]*buffer{}, written: map[step][]*code{}}
	if g.anew {
		c.fixed = nil
	}
	c.sparse = dataflow.Sparse(values, func(v *dataflow.Value) bool {
		in := g.inputs[v.Name]
		return in != nil && in.rows != nil
	})
	if slices.ContainsFunc(roots, func(r *dataflow.Value) bool { return c.sparse[r] }) {
		c.sparse = nil
	}
	c.findParts(values, roots)
	return c
}

// mostCost is how many operators what is a part of another may have.
const mostCost = 32

// findParts finds the rows that one value reads alone, element by element: they are computed where they are read.
func (c *compiler) findParts(values, roots []*dataflow.Value) {
	readers, times, cost := map[*dataflow.Value]*dataflow.Value{}, map[*dataflow.Value]int{}, map[*dataflow.Value]int{}
	for _, v := range values {
		for _, a := range v.Args {
			readers[a] = v
			times[a]++
		}
	}
	for _, v := range values {
		cost[v] = 1
		for _, a := range v.Args {
			if c.partOf[a] {
				cost[v] += cost[a]
			}
		}
		by := readers[v]
		c.partOf[v] = times[v] == 1 && !slices.Contains(roots, v) && v.Place != dataflow.Edges && isElementary(v) &&
			readsOnce(by, v) && c.fixed[v] == c.fixed[by] && cost[v] <= mostCost
	}
}

// readsOnce says whether each number of v is computed once, in the place of its row, where it is a part of by.
func readsOnce(by, v *dataflow.Value) bool {
	switch {
	case by.Op == dataflow.SumRows:
		return true
	case by.Place != v.Place || !isElementary(by):
		return false
	}
	return by.Width == v.Width || by.Op == dataflow.SumParts || by.Op == dataflow.Join || by.Op == dataflow.Part
}

// rowsOf is how many rows v has.
func (c *compiler) rowsOf(v *dataflow.Value) uint64 {
	if v.Place == dataflow.Parameters {
		return uint64(v.Rows)
	}
	return uint64(c.vertices)
}

// make makes memory for the numbers of v.
func (c *compiler) make(v *dataflow.Value) *buffer {
	if own := c.own[v]; own != nil {
		return own
	}
	return &buffer{bytes: 4 * c.rowsOf(v) * uint64(v.Width)}
}

// add adds a step that leaves v, of expressions.
func (c *compiler) add(v *dataflow.Value, s step, codes ...*code) {
	k := 1
	if c.fixed[v] {
		k = 0
	}
	c.steps[k] = append(c.steps[k], s)
	c.written[s] = codes
}

// matrix is where all numbers of v are. Those that are nowhere yet are written.
func (c *compiler) matrix(v *dataflow.Value) (*buffer, error) {
	at := c.known[v]
	if at != nil && !c.sparse[v] {
		return at, nil
	}
	if given := c.given[v]; given != nil {
		return given, nil
	}
	if v.Op == dataflow.Input {
		return c.input(v)
	}
	out := c.make(v)
	code, err := c.expression(v, nil)
	if err != nil {
		return nil, err
	}
	c.add(v, &rows{height: c.heightOf(v), width: v.Width, code: code, out: out}, code)
	c.known[v] = out
	return out, nil
}

// input is where all numbers of an input are.
func (c *compiler) input(v *dataflow.Value) (*buffer, error) {
	for end, name := range []string{dataflow.AtTarget: neural.InputInDegree, dataflow.AtSource: neural.InputOutDegree} {
		if v.Name == name && c.ends[end] != nil && c.ends[end].degrees != nil {
			return c.ends[end].degrees, nil
		}
	}
	in := c.inputs[v.Name]
	switch {
	case in == nil:
		return nil, unsupported("the input %s, which is not given", v.Name)
	case in.rows == nil:
		return in.numbers, nil
	}
	out := c.make(v)
	c.add(v, &dense{in: in, out: out})
	if !c.sparse[v] {
		c.known[v] = out
	}
	return out, nil
}

// compute adds the steps that compute v.
func (c *compiler) compute(v *dataflow.Value) error {
	switch {
	case len(v.Args) == 0 || v.Place == dataflow.Edges || c.partOf[v]:
		return nil
	case c.sparse[v]:
		return c.drop(v)
	}
	var err error
	out := c.make(v)
	switch v.Op {
	case dataflow.GatherSum, dataflow.GatherMax:
		err = c.gather(v, out)
	case dataflow.Product, dataflow.ProductTransposed:
		err = c.product(v, out)
	case dataflow.Outer:
		err = c.outer(v, out)
	case dataflow.SumRows:
		err = c.sum(v, out)
	case dataflow.CrossEntropy, dataflow.CrossEntropySlope:
		err = c.loss(v, out)
	default:
		if !isElementary(v) {
			return unsupported("the operator %v", v.Op)
		}
		_, err = c.matrix(v)
		return err
	}
	c.known[v] = out
	return err
}

// given is the input that sparse rows come from, and where the numbers of those that are not 0 are.
func (c *compiler) numbers(v *dataflow.Value) (*input, *buffer) {
	for v.Op != dataflow.Input {
		if at := c.known[v]; at != nil {
			in, _ := c.numbers(sparseArgument(c.sparse, v))
			return in, at
		}
		v = sparseArgument(c.sparse, v)
	}
	in := c.inputs[v.Name]
	return in, in.numbers
}

// sparseArgument is that of a dropout's arguments which is no mask.
func sparseArgument(sparse map[*dataflow.Value]bool, v *dataflow.Value) *dataflow.Value {
	if sparse[v.Args[0]] {
		return v.Args[0]
	}
	return v.Args[1]
}

// drop makes sparse rows times a dropout.
func (c *compiler) drop(v *dataflow.Value) error {
	x := sparseArgument(c.sparse, v)
	mask := v.Args[0]
	if mask == x {
		mask = v.Args[1]
	}
	in, from := c.numbers(x)
	factor, err := c.expression(mask, nil)
	if err != nil {
		return err
	}
	out := &buffer{bytes: 4 * in.rows.entries}
	c.add(v, &dropped{in: in, numbers: from, code: factor, out: out}, factor)
	c.known[v] = out
	return nil
}

// gather folds edges.
func (c *compiler) gather(v *dataflow.Value, out *buffer) error {
	x, of := v.Args[0], c.ends[v.End]
	if of == nil {
		return unsupported("the operator %v of a network without edges", v.Op)
	}
	partial, largest := of.partial(v.Width), v.Op == dataflow.GatherMax
	if far := x.Op == dataflow.Source || x.Op == dataflow.Target; far &&
		(x.Op == dataflow.Source) == (v.End == dataflow.AtTarget) {
		from, err := c.matrix(x.Args[0])
		c.add(v, &gatherRows{lists: of.lists, ofEdges: true, rows: from, largest: largest, width: v.Width, out: out,
			partial: partial})
		return err
	}
	code, err := c.expression(x, of)
	if err != nil {
		return err
	}
	c.add(v, &gather{edges: of, atSource: v.End == dataflow.AtSource, largest: largest, width: v.Width, code: code,
		out: out, partial: partial}, code)
	return nil
}

// product is rows times a parameter.
func (c *compiler) product(v *dataflow.Value, out *buffer) error {
	x, transposed := v.Args[0], v.Op == dataflow.ProductTransposed
	y, err := c.matrix(v.Args[1])
	if err != nil {
		return err
	}
	if c.sparse[x] {
		in, numbers := c.numbers(x)
		c.add(v, &gatherRows{lists: in.rows, rows: y, numbers: numbers, width: v.Width, out: out,
			partial: in.rows.partial(v.Width)})
		return nil
	}
	from, err := c.matrix(x)
	c.add(v, &product{m: c.heightOf(v), n: uint64(v.Width), inner: height{rows: uint64(x.Width)}, x: from, y: y,
		yTransposed: transposed, out: out})
	return err
}

// outer is Σ xᵀ·y.
func (c *compiler) outer(v *dataflow.Value, out *buffer) error {
	x, y := v.Args[0], v.Args[1]
	if x.Place == dataflow.Edges {
		return c.edgeOuter(v, out)
	}
	right, err := c.matrix(y)
	if err != nil {
		return err
	}
	if c.sparse[x] {
		in, numbers := c.numbers(x)
		lists := in.byColumn()
		c.add(v, &gatherRows{lists: lists, rows: right, numbers: numbers, order: in.order, width: v.Width, out: out,
			partial: lists.partial(v.Width)})
		return nil
	}
	left, err := c.matrix(x)
	p := &product{m: height{rows: uint64(x.Width)}, n: uint64(y.Width), inner: c.heightOf(x), x: left, y: right,
		xTransposed: true, out: out}
	if parts := mostPartsOf(c.rowsOf(x), productParts, productPart); parts > 1 {
		p.partial = &buffer{bytes: 4 * parts * p.m.rows * p.n}
	}
	c.add(v, p)
	return err
}

// edgeOuter is that of edges.
func (c *compiler) edgeOuter(v *dataflow.Value, out *buffer) error {
	of := c.ends[v.End]
	if of == nil {
		return unsupported("the operator %v of a network without edges", v.Op)
	}
	x, err := c.expression(v.Args[0], of)
	if err != nil {
		return err
	}
	y, err := c.expression(v.Args[1], of)
	parts := mostPartsOf(of.rows, mostParts, leastPart)
	c.add(v, &edgeOuter{edges: of, atSource: v.End == dataflow.AtSource, high: v.Rows, wide: v.Width, x: x, y: y,
		out: out, partial: &buffer{bytes: 4 * parts * uint64(v.Rows) * uint64(v.Width)}}, x, y)
	return err
}

// sum is that of all rows.
func (c *compiler) sum(v *dataflow.Value, out *buffer) error {
	x := v.Args[0]
	code, err := c.expression(x, nil)
	if err != nil {
		return err
	}
	parts := mostPartsOf(c.rowsOf(x), mostParts, leastPart)
	c.add(v, &sum{height: c.heightOf(x), width: v.Width, code: code, out: out,
		partial: &buffer{bytes: 4 * parts * uint64(v.Width)}}, code)
	return nil
}

// loss is a cross entropy, or its gradient.
func (c *compiler) loss(v *dataflow.Value, out *buffer) error {
	logits, classes := v.Args[0], v.Args[1]
	left, err := c.matrix(logits)
	if err != nil {
		return err
	}
	right, err := c.matrix(classes)
	apart := func(x *dataflow.Value) uint64 {
		if x.Place == dataflow.Parameters && x.Rows == 1 {
			return 0
		}
		return uint64(x.Width)
	}
	c.add(v, &loss{height: c.heightOf(v), width: logits.Width, logits: left, classes: right, logitsApart: apart(logits),
		classesApart: apart(classes), slope: v.Op == dataflow.CrossEntropySlope, out: out})
	return err
}
