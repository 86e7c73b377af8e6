package neural

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Compile checks m against a schema and makes its dataflow, with gradients. It fails with an *algorithms.ExprError
// that marks the place in an expression, or with a *ModelError.
func Compile(m Model, schema Schema) (*Compiled, error) {
	c := &compiler{model: m, schema: schema, Builder: dataflow.NewBuilder(schema.Plain), draws: map[*dataflow.Value]int{}}
	if err := c.check(); err != nil {
		return nil, err
	}
	if m.Reverse && schema.Sampled {
		return nil, c.wrong("messages that go against edges are not sampled: leave out a fanout")
	}
	embedding := c.rows()
	h, layers := c.features, make([]*dataflow.Value, len(m.Layers))
	for i := range m.Layers {
		var err error
		if h, err = c.layer(i, h); err != nil {
			return nil, err
		}
		layers[i] = h
	}
	if h.Width != schema.Outputs {
		return nil, c.wrong("the last layer gives %d numbers, but %d are wanted", h.Width, schema.Outputs)
	}
	if h.Op == dataflow.Input { // what is given is no result
		h = c.Binary(dataflow.Multiply, h, c.Number(1))
		layers[len(layers)-1] = h
	}
	parameters := make([]*dataflow.Value, len(c.learned), len(c.learned)+1)
	for i, l := range c.learned {
		parameters[i] = l.Value
	}
	made := &Compiled{Model: m, Schema: schema, Learned: c.learned, Layers: layers, Hops: c.hops, Embedding: embedding}
	if embedding != nil {
		parameters = append(parameters, embedding)
	}
	p := dataflow.Compile(c.Builder, c.loss(h), h, parameters, layers...)
	if made.Program = p; embedding != nil {
		last := len(parameters) - 1
		made.EmbeddingSlope = p.Gradients[last]
		p.Parameters, p.Gradients = p.Parameters[:last], p.Gradients[:last]
	}
	if schema.Held {
		made.Program, made.Layers = made.Program.Held(layers)
	}
	var err error
	if schema.Task.OfPairs() {
		made.Decoder, err = newDecoder(m, schema, h.Width)
	}
	return made, err
}

// rows makes the rows that layers read as x: features, and beside them what is learned of each vertex, if anything is.
func (c *compiler) rows() (embedding *dataflow.Value) {
	if c.schema.Embedding > 0 {
		embedding = c.Varying(InputEmbedding, c.schema.Embedding)
	}
	switch {
	case embedding == nil:
		c.features = c.Input(InputFeatures, c.schema.Features)
	case c.schema.Features == 0:
		c.features = embedding
	default:
		c.features = c.Join(c.Input(InputFeatures, c.schema.Features), embedding)
	}
	return embedding
}

// compiler is what Compile knows on its way through the layers.
type compiler struct {
	*dataflow.Builder
	model    Model
	schema   Schema
	features *dataflow.Value
	learned  []Learned
	hops     int
	draws    map[*dataflow.Value]int // what has been dropped out, and by which draw
}

func (c *compiler) wrong(format string, args ...any) error {
	return &ModelError{c.model.Name, fmt.Sprintf(format, args...)}
}

func (c *compiler) check() error {
	switch d := c.model.Training.Dropout; {
	case len(c.model.Layers) == 0:
		return c.wrong("it has no layers")
	case c.schema.Features+c.schema.Embedding < 1 || c.schema.Outputs < 1:
		return c.wrong("it needs features and something to say: %d and %d numbers are given", c.schema.Features,
			c.schema.Outputs)
	case c.model.Output != "" && !c.schema.Task.OfPairs():
		return c.wrong("output is what is said of edges, but vertices are learned from")
	case !(d >= 0 && d < 1):
		return c.wrong("dropout is %v; it must be at least 0 and below 1", d)
	}
	return nil
}

// size reads what Width, Heads or Repeat of a layer say.
func (c *compiler) size(i int, what, text string, otherwise int) (int, error) {
	if text == "" && otherwise > 0 {
		return otherwise, nil
	}
	if text == "outputs" {
		return c.schema.Outputs, nil
	}
	n, known := c.model.Sizes[text]
	if !known {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			sizes := append(slices.Sorted(maps.Keys(c.model.Sizes)), "outputs")
			return 0, c.wrong("layer %d: %s is %q; it must be a number or one of the sizes %s", i+1, what, text,
				strings.Join(sizes, ", "))
		}
	}
	if n < 1 || n > 1<<16 {
		return 0, c.wrong("layer %d: %s is %d; it must be from 1 to %d", i+1, what, n, 1<<16)
	}
	return n, nil
}

// layer makes the values of layer i over h, what the layer before gave.
func (c *compiler) layer(i int, h *dataflow.Value) (*dataflow.Value, error) {
	l := c.model.Layers[i]
	wide, err := c.size(i, "width", l.Width, 0)
	if err != nil {
		return nil, err
	}
	heads, err := c.size(i, "heads", l.Heads, 1)
	if err != nil {
		return nil, err
	}
	times, err := c.size(i, "repeat", l.Repeat, 1)
	if err != nil {
		return nil, err
	}
	if times > 1 && h.Width != wide {
		return nil, c.wrong("layer %d is repeated, so it must give what it takes: rows of %d numbers, not %d", i+1, h.Width,
			wide)
	}
	t, err := c.shape(i, h.Width, wide, heads)
	if err != nil {
		return nil, err
	}
	for range times {
		h = t.translate(h)
	}
	if l.Edge != "" {
		c.hops += times
	}
	return h, nil
}

// shape parses the expressions of layer i, finds all widths, and makes its parameters.
func (c *compiler) shape(i, in, out, heads int) (*translation, error) {
	l := c.model.Layers[i]
	t := &translation{compiler: c, layer: i, heads: heads, learned: map[string]*dataflow.Value{}, op: dataflow.GatherSum,
		prefix: fmt.Sprintf("layer%d", i+1), decay: l.Decay}
	s := &shaper{heads: heads, given: map[string]int{}}
	for name, text := range l.Widths {
		wide, err := c.size(i, "the width of "+name, text, 0)
		if err != nil {
			return nil, err
		}
		s.given[name] = wide
	}
	var acc *width
	if l.Edge != "" {
		if err := t.gather(l.Gather); err != nil {
			return nil, err
		}
		s.names, s.edges = c.scope(in, "src.", "dst."), true
		p := place{c.model.Name, fmt.Sprintf("edge of layer %d", i+1), l.Edge}
		w, err := t.parse(p, s, &t.edge)
		if err != nil {
			return nil, err
		}
		acc = w
	}
	s.names, s.edges = c.scope(in, "self."), false
	if acc != nil {
		s.names["acc"] = acc
	}
	p := place{c.model.Name, fmt.Sprintf("vertex of layer %d", i+1), l.Vertex}
	w, err := t.parse(p, s, &t.vertex)
	if err != nil {
		return nil, err
	}
	if !join(w, &width{known: out}) {
		return nil, p.wrong(t.vertex, fmt.Sprintf("this gives rows of %d numbers, but the layer's width is %d", w.value(), out))
	}
	if err := s.solve(); err != nil {
		return nil, err
	}
	if got := w.value(); got != out {
		return nil, p.wrong(t.vertex, fmt.Sprintf("this gives rows of %d numbers, but the layer's width is %d", got, out))
	}
	for name := range s.given {
		if !slices.ContainsFunc(s.learned, func(l *learned) bool { return l.name == name }) {
			return nil, c.wrong("layer %d gives a width to %s, but does not learn it", i+1, name)
		}
	}
	for _, found := range s.learned {
		t.learn(found)
	}
	return t, nil
}

// scope is what an expression may name, with the qualifiers of its vertices.
func (c *compiler) scope(in int, qualifiers ...string) map[string]*width {
	names := map[string]*width{}
	for _, q := range qualifiers {
		names[q+"h"] = &width{known: in}
		names[q+"x"] = &width{known: c.features.Width}
		names[q+"in_degree"] = &width{known: 1}
		names[q+"out_degree"] = &width{known: 1}
	}
	if len(qualifiers) == 2 {
		for _, p := range c.schema.EdgeProperties {
			names["edge."+p] = &width{known: 1}
		}
	}
	return names
}

// loss adds up what is wrong with h, weighed by vertex. What pairs of vertices say of h comes as a gradient; of the
// product with it h has that gradient.
func (c *compiler) loss(h *dataflow.Value) *dataflow.Value {
	if c.schema.Task.OfPairs() {
		return c.SumRows(c.SumParts(c.Binary(dataflow.Multiply, h, c.Varying(InputSlope, h.Width)), 1))
	}
	weight := c.Input(InputWeight, 1)
	var each *dataflow.Value
	switch c.schema.Task {
	case Classes:
		each = c.CrossEntropy(h, c.Input(InputWanted, 1))
	case Labels:
		wanted := c.Input(InputWanted, h.Width)
		each = c.Binary(dataflow.Subtract, c.Unary(dataflow.Softplus, h, 0), c.Binary(dataflow.Multiply, h, wanted))
	case Values, Topics:
		off := c.Binary(dataflow.Subtract, h, c.Input(InputWanted, h.Width))
		each = c.Binary(dataflow.Multiply, c.Number(0.5), c.Binary(dataflow.Multiply, off, off))
	}
	return c.SumRows(c.Binary(dataflow.Multiply, weight, c.SumParts(each, 1)))
}
