package neural

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// What a model says of a pair of vertices where it does not say how: their vectors' product, and a bias of each.
const defaultOutput = "dot(src.h, dst.h) + src.bias + dst.bias"

// Decoder is what a model says of a pair of vertices, as a dataflow with a row for each pair: a row is computed from
// the rows that the layers give of its ends. Of an undirected graph's edge the source is the end that is stored first.
type Decoder struct {
	Values  []*dataflow.Value // all, arguments first
	Learned []Learned
	Output  *dataflow.Value
	Loss    *dataflow.Value // weighed by InputWeight
	Wanted  *dataflow.Value
	Weight  *dataflow.Value
	Ends    [2]Ends           // by dataflow.End
	Slopes  []*dataflow.Value // gradients of Learned; nil where the loss does not depend on one
}

// Ends are the inputs that a decoder reads of one end of pairs, and the gradients of its loss. Nil: it does not.
type Ends struct {
	Vector, VectorSlope *dataflow.Value // what the layers give
	Bias, BiasSlope     *dataflow.Value // a number that is learned of each vertex
}

// HasBias says whether vertices have biases.
func (d *Decoder) HasBias() bool {
	return d.Ends[dataflow.AtSource].BiasSlope != nil || d.Ends[dataflow.AtTarget].BiasSlope != nil
}

// endNames are how expressions name the ends of a pair.
var endNames = [...]string{dataflow.AtSource: "src.", dataflow.AtTarget: "dst."}

// newDecoder makes the decoder of a model whose layers give rows of this width.
func newDecoder(m Model, schema Schema, wide int) (*Decoder, error) {
	c := &compiler{model: m, schema: schema, Builder: dataflow.NewBuilder(true), draws: map[*dataflow.Value]int{}}
	t := &translation{compiler: c, heads: 1, learned: map[string]*dataflow.Value{}, prefix: "output"}
	d := &Decoder{}
	s := &shaper{heads: 1, given: map[string]int{}, names: map[string]*width{}, pairs: true}
	names := map[string]*dataflow.Value{}
	var inputs []*dataflow.Value
	for end, name := range endNames {
		d.Ends[end].Vector, d.Ends[end].Bias = c.Input(name+"h", wide), c.Input(name+"bias", 1)
		for suffix, v := range map[string]*dataflow.Value{"h": d.Ends[end].Vector, "bias": d.Ends[end].Bias} {
			names[name+suffix], s.names[name+suffix] = v, &width{known: v.Width}
		}
		inputs = append(inputs, d.Ends[end].Vector, d.Ends[end].Bias)
	}
	p := place{m.Name, "output", m.Output}
	if p.source == "" {
		p.source = defaultOutput
	}
	w, err := t.parse(p, s, &t.vertex)
	if err != nil {
		return nil, err
	}
	if !join(w, &width{known: 1}) {
		return nil, p.wrong(t.vertex, fmt.Sprintf("this gives rows of %d numbers, and of a pair there is one to be said",
			w.value()))
	}
	if err := s.solve(); err != nil {
		return nil, err
	}
	for _, found := range s.learned {
		t.learn(found)
	}
	d.Learned, d.Output = c.learned, t.atVertices(t.value(t.vertex, names))
	d.Wanted, d.Weight = c.Input(InputWanted, 1), c.Input(InputWeight, 1)
	d.Loss = c.pairLoss(d.Output, d.Wanted, d.Weight)
	parameters := make([]*dataflow.Value, len(d.Learned))
	for i, l := range d.Learned {
		parameters[i] = l.Value
	}
	given := slices.Concat(parameters, inputs)
	slopes := dataflow.Gradient(c.Builder, d.Loss, given)
	for end := range d.Ends {
		e := &d.Ends[end]
		at := slopes[len(parameters)+2*end:]
		e.VectorSlope, e.BiasSlope = at[0], at[1]
	}
	d.Slopes = slopes[:len(parameters)]
	d.Values = dataflow.Order(c.Values(), slices.Concat(slopes, given, []*dataflow.Value{d.Loss, d.Output})...)
	return d, nil
}

// pairLoss adds up what is wrong with what is said of pairs: half the squared error, or of a link the cross-entropy of
// whether it is there.
func (c *compiler) pairLoss(said, wanted, weight *dataflow.Value) *dataflow.Value {
	var each *dataflow.Value
	if c.schema.Task == Links {
		each = c.Binary(dataflow.Subtract, c.Unary(dataflow.Softplus, said, 0), c.Binary(dataflow.Multiply, said, wanted))
	} else {
		off := c.Binary(dataflow.Subtract, said, wanted)
		each = c.Binary(dataflow.Multiply, c.Number(0.5), c.Binary(dataflow.Multiply, off, off))
	}
	return c.SumRows(c.Binary(dataflow.Multiply, weight, each))
}
