package onnxmodel

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// translation is a graph in the making.
type translation struct {
	*onnx.Graph
	names      map[*dataflow.Value]string // of what is made
	vertices   string                     // how many there are: int64 [1]
	ends       [2]string                  // by dataflow.End: the vertex at that end of each edge, int64 [edges]
	properties map[string]string          // of each edge, float32 [edges, 1]
}

// declare makes the inputs that values read, and what all else is made of: how many vertices there are, and the ends of
// edges.
func (t *translation) declare(values []*dataflow.Value, selfLoops bool) {
	width := int64(-1)
	for _, v := range values {
		if v.Op == dataflow.Input && v.Name == neural.InputFeatures {
			width = int64(v.Width)
		}
	}
	features := t.Input(InputFeatures, onnx.Float32, -1, width)
	t.vertices = t.Node("Shape", []string{features}, onnx.Int("start", 0), onnx.Int("end", 1))
	t.properties = map[string]string{}
	if !neural.LooksAtEdges(values) {
		return
	}
	edges := t.Input(InputEdges, onnx.Int64, 2, -1)
	for _, name := range dataflow.EdgeProperties(values) {
		t.properties[name] = t.Input(InputProperty+name, onnx.Float32, -1, 1)
	}
	t.ends[dataflow.AtSource] = t.Node("Gather", []string{edges, t.whole(0)})
	t.ends[dataflow.AtTarget] = t.Node("Gather", []string{edges, t.whole(1)})
	if selfLoops {
		t.loop()
	}
}

// loop makes each vertex a neighbor of itself, once: of its loops the first stays, and vertices without one get one,
// whose properties are 1. So does package adjacency.
func (t *translation) loop() {
	source, target := t.ends[dataflow.AtSource], t.ends[dataflow.AtTarget]
	count := t.Node("Shape", []string{source})
	numbers := t.upTo(count) // of edges
	isLoop := t.Node("Equal", []string{source, target})
	of := t.Node("Compress", []string{source, isLoop})
	first := t.Node("ScatterND", []string{t.Node("Expand", []string{t.wholes(math.MaxInt64), t.vertices}), t.column(of),
		t.Node("Compress", []string{numbers, isLoop})}, onnx.Text("reduction", "min"))
	kept := t.Node("Or", []string{t.Node("Not", []string{isLoop}),
		t.Node("Equal", []string{t.Node("Gather", []string{first, source}), numbers})})
	without := t.Node("Compress", []string{t.upTo(t.vertices),
		t.Node("Equal", []string{first, t.wholes(math.MaxInt64)})})
	for end, all := range t.ends {
		t.ends[end] = t.Node("Concat", []string{t.Node("Compress", []string{all, kept}), without}, onnx.Int("axis", 0))
	}
	ones := t.Node("Expand", []string{t.constant([]int64{1, 1}, 1), t.shape(t.Node("Shape", []string{without}), 1)})
	for name, all := range t.properties {
		t.properties[name] = t.Node("Concat", []string{t.Node("Compress", []string{all, kept}, onnx.Int("axis", 0)), ones},
			onnx.Int("axis", 0))
	}
}

// count is how many rows a place has: int64 [1].
func (t *translation) count(p dataflow.Place) string {
	if p == dataflow.Edges {
		return t.Node("Shape", []string{t.ends[dataflow.AtSource]})
	}
	return t.vertices
}

// degrees counts the edges that have each vertex at an end.
func (t *translation) degrees(end dataflow.End) string {
	ones := t.Node("Expand", []string{t.constant([]int64{1, 1}, 1), t.shape(t.count(dataflow.Edges), 1)})
	return t.scatter("add", 0, 1, end, ones)
}

// scatter puts rows of edges together at the vertices of an end: float32 [vertices, width], start where there are none.
func (t *translation) scatter(reduction string, start float32, width int, end dataflow.End, rows string) string {
	into := t.Node("Expand", []string{t.constant([]int64{1, 1}, start), t.shape(t.vertices, width)})
	return t.Node("ScatterND", []string{into, t.column(t.ends[end]), rows}, onnx.Text("reduction", reduction))
}

// upTo lists the numbers below count: int64 [count].
func (t *translation) upTo(count string) string {
	scalar := t.Node("Squeeze", []string{count})
	return t.Node("Range", []string{t.whole(0), scalar, t.whole(1)})
}

// column makes a list a column.
func (t *translation) column(list string) string {
	return t.Node("Unsqueeze", []string{list, t.wholes(1)})
}

// shape is that of rows of so many numbers.
func (t *translation) shape(rows string, widths ...int) string {
	parts := []string{rows}
	for _, w := range widths {
		parts = append(parts, t.wholes(int64(w)))
	}
	return t.Node("Concat", parts, onnx.Int("axis", 0))
}

func (t *translation) constant(shape []int64, numbers ...float32) string {
	return t.Initializer(onnx.Values("", shape, numbers...))
}

func (t *translation) whole(number int64) string { return t.Initializer(onnx.Scalar("", number)) }

func (t *translation) wholes(numbers ...int64) string {
	return t.Initializer(onnx.Vector("", numbers...))
}
