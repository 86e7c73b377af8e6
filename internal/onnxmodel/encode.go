// Package onnxmodel writes a graph neural network that has learned as an ONNX model, which ONNX Runtime and others
// compute.
//
//	trained.Model ──Compile──▶ dataflow of its output ──an operator each──▶ onnx.Graph ──▶ file
//
// The inputs are those that PyTorch Geometric has: x, a row of features for each vertex; edge_index, the sources of all
// edges and below them their targets, of an undirected graph both ways; and edge_NAME, a column for each property of
// edges that the model reads. The output is a row for each vertex: logits of classes and of labels, else values.
// Vertices and edges may be any number. What the model does to a graph, as to make each vertex a neighbor of itself, is
// part of it.
package onnxmodel

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// The inputs and the output of a model. An input that the model does not read is left out.
const (
	InputFeatures = "x"          // float32 [vertices, features]
	InputEdges    = "edge_index" // int64 [2, edges]
	InputProperty = "edge_"      // and the property's name: float32 [edges, 1]
	Output        = "output"     // float32 [vertices, outputs]
)

// Encode is what m says of vertices as an ONNX model.
func Encode(m *trained.Model) ([]byte, error) {
	compiled, err := m.Compile()
	if err != nil {
		return nil, err
	}
	if m.Vertices != nil || compiled.Decoder != nil {
		return nil, &UnsupportedError{"what is learned of each vertex, or said of pairs of them: export as arrow"}
	}
	numbers := map[string][]float32{}
	for _, p := range m.Parameters {
		numbers[p.Name] = p.Numbers
	}
	output := compiled.Program.Output
	return encode(m.Name, dataflow.Order(compiled.Program.Values, output), output, numbers, m.Architecture.SelfLoops)
}

// UnsupportedError is a value that ONNX has no operator for.
type UnsupportedError struct{ Value string }

func (e *UnsupportedError) Error() string { return fmt.Sprintf("ONNX cannot compute %s", e.Value) }

// encode writes values, which output is made of, arguments first. Dropouts drop nothing.
func encode(name string, values []*dataflow.Value, output *dataflow.Value, numbers map[string][]float32,
	selfLoops bool) ([]byte, error) {
	t := &translation{Graph: &onnx.Graph{Name: name}, names: map[*dataflow.Value]string{}}
	t.declare(values, selfLoops)
	for _, v := range values {
		if v.Op == dataflow.Parameter {
			t.names[v] = t.constant([]int64{int64(v.Rows), int64(v.Width)}, numbers[v.Name]...)
			continue
		}
		made, err := t.value(v)
		if err != nil {
			return nil, err
		}
		t.names[v] = made
	}
	t.As(Output, "Identity", []string{t.names[output]})
	t.Output(Output, onnx.Float32, -1, int64(output.Width))
	return t.Model(), nil
}
