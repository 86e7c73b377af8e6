package neural

import "github.com/penstock-db/penstock/algorithms/neural/dataflow"

// function is something that an expression may call: an operator of CEL or a name.
type function struct {
	name  string // CEL's: "_+_", "relu"
	least int    // how many arguments
	most  int
	kind  kind
	op    dataflow.Op
}

// kind says how a function's width follows from those of its arguments.
type kind uint8

const (
	elementwise kind = iota // the width of the wider argument; a learned name is one row
	multiply                // that, or the matrix product where the right argument is learned
	side                    // the sum of both widths
	heads                   // the number of heads; the second argument is a learned row
	scaled                  // that of the first; the second argument is a learned row, at first all ones
	rows                    // that of the first; a function of the whole row, or of all edges of a vertex
)

var functions = []function{
	{"_+_", 2, 2, elementwise, dataflow.Add},
	{"_-_", 2, 2, elementwise, dataflow.Subtract},
	{"_*_", 2, 2, multiply, dataflow.Multiply},
	{"_/_", 2, 2, elementwise, dataflow.Divide},
	{"-_", 1, 1, elementwise, dataflow.Negate},
	{"abs", 1, 1, elementwise, dataflow.Abs},
	{"concat", 2, 2, side, dataflow.Join},
	{"dot", 2, 2, heads, dataflow.SumParts},
	{"dropout", 1, 1, rows, dataflow.Mask},
	{"elu", 1, 1, elementwise, dataflow.Elu},
	{"exp", 1, 1, elementwise, dataflow.Exp},
	{"layer_norm", 1, 1, rows, dataflow.Sqrt},
	{"leaky_relu", 1, 2, elementwise, dataflow.LeakyRelu},
	{"log", 1, 1, elementwise, dataflow.Log},
	{"max", 2, 2, elementwise, dataflow.Max},
	{"normalize", 1, 1, rows, dataflow.Divide},
	{"relu", 1, 1, elementwise, dataflow.Relu},
	{"scale", 2, 2, scaled, dataflow.Multiply},
	{"sigmoid", 1, 1, elementwise, dataflow.Sigmoid},
	{"softmax", 1, 1, rows, dataflow.GatherSum},
	{"softplus", 1, 1, elementwise, dataflow.Softplus},
	{"sqrt", 1, 1, elementwise, dataflow.Sqrt},
	{"tanh", 1, 1, elementwise, dataflow.Tanh},
}

// Functions lists the names that expressions of models may call, sorted.
func Functions() []string {
	var names []string
	for _, f := range functions {
		if f.name[0] >= 'a' {
			names = append(names, f.name)
		}
	}
	return names
}

func functionNamed(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

// isLearned says whether a name is that of a parameter: it begins with a capital letter.
func isLearned(n *node) bool { return !n.call && n.name != "" && n.name[0] >= 'A' && n.name[0] <= 'Z' }
