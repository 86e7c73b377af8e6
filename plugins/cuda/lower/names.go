package lower

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// vertices are the parameters that say which vertex a qualified name is of.
var vertices = map[string]string{"": "v", "self": "v", "src": "source", "dst": "target"}

// variable loads what name stands for in this function.
func (c *compiler) variable(name string) (register, error) {
	qualifier, field, qualified := strings.Cut(name, ".")
	if !qualified {
		qualifier, field = "", name
	}
	switch {
	case name == "n":
		return c.loadFixed(c.parameter("program"), offsetVertices), nil
	case name == "acc":
		return c.acc()
	case qualifier == "agg":
		return c.aggregate(name, field)
	case qualifier == "edge":
		return c.edge(name, field)
	}
	return c.vertex(name, vertices[qualifier], field)
}

// acc is what has come to vertex v: 8 bytes, whatever its type.
func (c *compiler) acc() (register, error) {
	if c.name != "penstock_apply" {
		return c.unknown("acc")
	}
	base := c.loadFixed(c.parameter("program"), offsetAcc)
	value := c.load(c.element(base, c.parameter("v"), 8))
	if shape.Type(c.program.Process.Checked) == algorithms.Bool {
		return c.flag(value), nil
	}
	return value, nil
}

func (c *compiler) aggregate(name, field string) (register, error) {
	i := slices.IndexFunc(c.program.Aggregates, func(a algorithms.Aggregate) bool { return a.Name == field })
	if i < 0 || c.name != "penstock_apply" {
		return c.unknown(name)
	}
	return c.loadFixed(c.loadFixed(c.parameter("program"), offsetAggregates), 8*uintptr(i)), nil
}

func (c *compiler) edge(name, field string) (register, error) {
	i := slices.Index(c.program.EdgeColumns, field)
	if i < 0 || !c.has("edge") {
		return c.unknown(name)
	}
	base := c.loadFixed(c.parameter("chunk"), offsetEdges+8*uintptr(i))
	return c.loadFixed(c.element(base, c.parameter("edge"), 8), 0), nil
}

// inputs are the columns of a vertex that the host fills.
var inputs = map[string]int{"id": kernels.ColumnID, "out_degree": kernels.ColumnOutDegree,
	"in_degree": kernels.ColumnInDegree}

// vertex is a column of the vertex that a parameter names.
func (c *compiler) vertex(name, parameter, field string) (register, error) {
	if !c.has(parameter) {
		return c.unknown(name)
	}
	if column, ok := inputs[field]; ok {
		return c.loadFixed(c.column(column, c.parameter(parameter), algorithms.Int), 0), nil
	}
	state, properties := c.program.State, c.program.Properties
	if i := slices.IndexFunc(properties, func(p algorithms.Property) bool { return p.Name == field }); i >= 0 {
		t := properties[i].Type
		return c.value(c.column(kernels.ColumnState+len(state)+i, c.parameter(parameter), t), t), nil
	}
	i := slices.IndexFunc(state, func(s algorithms.State) bool { return s.Name == field })
	if i < 0 {
		return c.unknown(name)
	}
	t := plain(state[i].Type)
	return c.value(c.column(kernels.ColumnState+i, c.parameter(parameter), t), t), nil
}

func (c *compiler) unknown(name string) (register, error) {
	return register{}, unsupported("the variable %q in %s", name, c.name)
}

// constant is a named constant: one of the program's, from its table, or one of the language.
func (c *compiler) constant(name string, value *exprpb.Constant) (register, error) {
	i := slices.IndexFunc(c.program.Constants, func(own algorithms.Constant) bool { return own.Name == name })
	if i < 0 {
		return c.literalOf(value)
	}
	bits := c.loadFixed(c.loadFixed(c.parameter("program"), offsetConstants), 8*uintptr(i))
	if c.program.Constants[i].Type == algorithms.Bool {
		return c.flag(bits), nil
	}
	return bits, nil
}

// plain is t without what only people see in it: a VertexID is an Int.
func plain(t algorithms.Type) algorithms.Type {
	if t == algorithms.VertexID {
		return algorithms.Int
	}
	return t
}
