package trained

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/algorithms/neural"
)

// The names of what is learned of each vertex.
const (
	EmbeddingName = "embedding"
	BiasName      = "bias"
)

// Pairing is what a model knows that learned of vertices one by one, or of edges.
type Pairing struct {
	// Values of edges are told to it less their mean, by their deviation.
	Mean      float64 `json:"mean,omitempty"`
	Deviation float64 `json:"deviation,omitempty"`
	Directed  bool    `json:"directed,omitempty"` // vertices have two biases: as target, and as source
	// Sides: of a bipartite graph it says something of vertices that no edge leads to, as samples, and its vectors are of
	// those that edges lead to, as features.
	Sides    bool       `json:"sides,omitempty"`
	Alpha    float64    `json:"alpha,omitempty"` // of topics: of the prior of a document's
	Vertices *VertexIDs `json:"-"`               // of rows that were learned of vertices; nil: none were
}

// VertexIDs are the ids of the vertices of which a model has learned rows, in the order of the rows: a text where that
// is not empty, else a number.
type VertexIDs struct {
	Numbers []int64
	Texts   []string // nil: all are numbers
}

// Len is how many there are.
func (v *VertexIDs) Len() int {
	if v == nil {
		return 0
	}
	return len(v.Numbers)
}

// Of are the ids of some.
func (v *VertexIDs) Of(some []uint32) *VertexIDs {
	of := &VertexIDs{}
	for _, i := range some {
		if v.Numbers != nil {
			of.Numbers = append(of.Numbers, v.Numbers[i])
		}
		if v.Texts != nil {
			of.Texts = append(of.Texts, v.Texts[i])
		}
	}
	return of
}

// LearnsVertices says whether a model learns rows of vertices, or biases.
func LearnsVertices(c *neural.Compiled) bool {
	return c.Embedding != nil || c.Decoder != nil && c.Decoder.HasBias()
}

// Shapes are the parameters of a model, without their numbers, in the order in which they are kept: those of its
// layers, rows and biases of vertices, and those of what it says of pairs.
func Shapes(c *neural.Compiled, vertices, biases int) (all []Parameter) {
	add := func(name string, rows, width int) {
		all = append(all, Parameter{Name: name, Rows: rows, Width: width})
	}
	for _, l := range c.Learned {
		add(l.Value.Name, l.Value.Rows, l.Value.Width)
	}
	if c.Embedding != nil {
		add(EmbeddingName, vertices, c.Embedding.Width)
	}
	if c.Decoder != nil {
		if c.Decoder.HasBias() {
			add(BiasName, vertices, biases)
		}
		for _, l := range c.Decoder.Learned {
			add(l.Value.Name, l.Value.Rows, l.Value.Width)
		}
	}
	return all
}

// Matrix is a parameter by its name.
func (m *Model) Matrix(name string) (p Parameter, has bool) {
	for _, each := range m.Parameters {
		if each.Name == name {
			return each, true
		}
	}
	return p, false
}

// vertexFields are the columns that a file has besides where rows of vertices were learned: a row that is no parameter
// has their ids.
var vertexFields = []arrow.Field{
	{Name: "vertex_numbers", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "vertex_texts", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
}

// append writes the row of the ids.
func (v *VertexIDs) append(b *array.RecordBuilder) {
	b.Field(0).(*array.StringBuilder).Append("vertices")
	b.Field(1).(*array.Int64Builder).Append(int64(v.Len()))
	b.Field(2).(*array.Int64Builder).Append(0)
	b.Field(3).(*array.ListBuilder).Append(true)
	numbers, texts := b.Field(4).(*array.ListBuilder), b.Field(5).(*array.ListBuilder)
	numbers.Append(true)
	numbers.ValueBuilder().(*array.Int64Builder).AppendValues(v.Numbers, nil)
	texts.Append(true)
	texts.ValueBuilder().(*array.StringBuilder).AppendValues(v.Texts, nil)
}

// readVertices reads the row of the ids.
func readVertices(record arrow.Record, row int) (*VertexIDs, error) {
	numbers, texts := record.Column(4).(*array.List), record.Column(5).(*array.List)
	v := &VertexIDs{}
	from, to := numbers.ValueOffsets(row)
	v.Numbers = append(v.Numbers, numbers.ListValues().(*array.Int64).Int64Values()[from:to]...)
	from, to = texts.ValueOffsets(row)
	for i := from; i < to; i++ {
		v.Texts = append(v.Texts, texts.ListValues().(*array.String).Value(int(i)))
	}
	if v.Texts != nil && len(v.Texts) != len(v.Numbers) {
		return nil, fmt.Errorf("it has %d numbers and %d texts of vertices", len(v.Numbers), len(v.Texts))
	}
	return v, nil
}
