package onnx

import "strconv"

// Versions that models are written in.
const (
	irVersion    = 8
	operatorSet  = 18
	microsoftSet = 1
)

// Microsoft is the domain of ONNX Runtime's own operators.
const Microsoft = "com.microsoft"

// Graph is a model, or the body of a Loop or If. Nodes stand in an order in which each comes after
// those that it takes inputs from.
type Graph struct {
	Name            string
	Inputs, Outputs []Value
	Initializers    []Tensor
	Nodes           []Node
}

// Value is an input or output: its name, type and shape. A dimension below 0 is any.
type Value struct {
	Name  string
	Type  Type
	Shape []int64 // nil: a scalar
}

// Node is one operator.
type Node struct {
	Operator   string
	Domain     string // "": ONNX's own
	Inputs     []string
	Outputs    []string
	Attributes []Attribute
}

// Input declares an input and returns its name.
func (g *Graph) Input(name string, t Type, shape ...int64) string {
	g.Inputs = append(g.Inputs, Value{name, t, shape})
	return name
}

// Output declares an output, by the name of what a node brings.
func (g *Graph) Output(name string, t Type, shape ...int64) {
	g.Outputs = append(g.Outputs, Value{name, t, shape})
}

// Initializer adds a constant and returns its name, a fresh one if it has none.
func (g *Graph) Initializer(t Tensor) string {
	if t.Name == "" {
		t.Name = g.Name + ".c" + strconv.Itoa(len(g.Initializers))
	}
	g.Initializers = append(g.Initializers, t)
	return t.Name
}

// Node adds one of ONNX's operators with one output, and returns the output's name, a fresh one.
func (g *Graph) Node(operator string, inputs []string, attributes ...Attribute) string {
	return g.Domain("", operator, inputs, attributes...)
}

// Domain is Node for the operators of a domain.
func (g *Graph) Domain(domain, operator string, inputs []string, attributes ...Attribute) string {
	output := g.Name + "." + operator + strconv.Itoa(len(g.Nodes))
	g.Nodes = append(g.Nodes, Node{operator, domain, inputs, []string{output}, attributes})
	return output
}

// As adds a node whose output bears the given name: an output of the graph.
func (g *Graph) As(output, operator string, inputs []string, attributes ...Attribute) string {
	g.Nodes = append(g.Nodes, Node{Operator: operator, Inputs: inputs, Outputs: []string{output}, Attributes: attributes})
	return output
}

// Model is the graph as a file of ONNX's format.
func (g *Graph) Model() []byte {
	var m message
	m.varint(1, irVersion)
	m.text(2, "penstock")
	m.message(7, g.encode())
	m.message(8, importing("", operatorSet))
	m.message(8, importing(Microsoft, microsoftSet))
	return m
}

func importing(domain string, version uint64) []byte {
	var m message
	m.text(1, domain)
	m.varint(2, version)
	return m
}

func (g *Graph) encode() []byte {
	var m message
	for _, n := range g.Nodes {
		m.message(1, n.encode())
	}
	m.text(2, g.Name)
	for _, t := range g.Initializers {
		m.message(5, t.encode())
	}
	for _, v := range g.Inputs {
		m.message(11, v.encode())
	}
	for _, v := range g.Outputs {
		m.message(12, v.encode())
	}
	return m
}

func (n Node) encode() []byte {
	var m message
	m.texts(1, n.Inputs)
	m.texts(2, n.Outputs)
	if len(n.Outputs) > 0 {
		m.text(3, n.Outputs[0]) // the runtime names nodes in its errors
	}
	m.text(4, n.Operator)
	for _, a := range n.Attributes {
		m.message(5, a.message())
	}
	m.text(7, n.Domain)
	return m
}

func (v Value) encode() []byte {
	var shape, tensor, kind, m message
	for _, d := range v.Shape {
		shape.message(1, dimension(d))
	}
	tensor.varint(1, uint64(v.Type))
	tensor.message(2, shape)
	kind.message(1, tensor)
	m.text(1, v.Name)
	m.message(2, kind)
	return m
}

// dimension of no known size is an empty message.
func dimension(d int64) []byte {
	var m message
	if d >= 0 {
		m.varint(1, uint64(d))
	}
	return m
}
