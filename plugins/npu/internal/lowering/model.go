package lowering

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Kind says what an operand of a model is.
type Kind uint8

const (
	Own         Kind = iota // a value's rows of the block, or all of a parameter
	Far                     // a value's rows of all vertices
	Factors                 // of a dropout, for the rows of the block
	EdgeFactors             // of a dropout, for the pairs: width × rows × columns
	Counts                  // of each pair, how many edges it has
	Property                // of each pair, a property of its edge
	Columns                 // the vertex of each column, where these are not the vertices themselves
	Valid                   // of each row, 1 if it is there, else 0
	Sum                     // an output: what the block adds to a parameter
)

// Operand is an input or output of a model.
type Operand struct {
	Kind  Kind
	Name  string
	Value *dataflow.Value // nil: Counts, Columns, Valid
	Type  onnx.Type
	Shape []int64
}

// Bytes is what an operand takes.
func (o Operand) Bytes() uint64 { return bytesOf(o.Shape, o.Type) }

func bytesOf(shape []int64, t onnx.Type) uint64 {
	size := t.Size()
	for _, d := range shape {
		size *= uint64(d)
	}
	return size
}

// Model is a graph of operators, and what it reads and writes.
type Model struct {
	Graph   *onnx.Graph
	Inputs  []Operand
	Outputs []Operand
	Scratch uint64 // bytes of all that the operators bring: no run holds more at a time
}

// Size is how many rows a model has.
type Size struct {
	Rows     int  // vertices of the block
	Vertices int  // of the graph
	Columns  int  // of pairs
	Repeated bool // some vertices have several columns, for edges that differ
}

// tensor is what an operator brings, or an input.
type tensor struct {
	name string
	dims []int64
}

// writer writes a model.
type writer struct {
	operators
	size  Size
	own   dataflow.Op                // Source or Target: which of them is at the block's rows
	rows  map[*dataflow.Value]tensor // and parameters
	edges map[*dataflow.Value]tensor
	given func(*dataflow.Value) bool // rows that are handed over, though they are made of others
}

func newWriter(size Size, end dataflow.End, given func(*dataflow.Value) bool) *writer {
	w := &writer{operators: operators{Model: Model{Graph: &onnx.Graph{Name: "stage"}}, inputs: map[string]tensor{}},
		size: size, own: dataflow.Target, rows: map[*dataflow.Value]tensor{}, edges: map[*dataflow.Value]tensor{},
		given: given}
	if end == dataflow.AtSource {
		w.own = dataflow.Source
	}
	return w
}
