package lowering

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

func none(*dataflow.Value) bool { return false }

// What there is no operator for is refused by its name.
func TestStage_NamesTheOperator(t *testing.T) {
	x := &dataflow.Value{Op: dataflow.Input, Place: dataflow.Vertices, Width: 2, Name: "x"}
	v := &dataflow.Value{ID: 1, Op: dataflow.Property, Place: dataflow.Vertices, Width: 2, Args: []*dataflow.Value{x}}
	stage := &dataflow.Stage{Waves: []dataflow.Wave{{Rows: []*dataflow.Value{v}}}, Stored: []*dataflow.Value{v}}
	_, err := Stage(stage, Size{Rows: 2, Vertices: 2}, none)
	if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(err.Error(), "property") {
		t.Errorf("%v; expected %q, and the operator's name", err, plugins.KindUnsupported)
	}
}

// A gather of rows that edges take from their far ends is one product: nothing lies at pairs but the matrix itself.
func TestStage_GatherIsAProduct(t *testing.T) {
	b := dataflow.NewBuilder(false)
	sum := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, b.Input("x", 16)))
	schedule := dataflow.NewSchedule(b.Values(), sum)
	m, err := Stage(&schedule.Once[0], Size{Rows: 10, Vertices: 1000, Columns: 1000}, none)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(10 * 16 * 4); m.Scratch != want {
		t.Errorf("its operators bring %d bytes; expected %d, the rows that are gathered", m.Scratch, want)
	}
}

// Numbers that are computed twice are equal though their last bits differ; others are not, and infinities are.
func TestStage_EqualAllowsForRounding(t *testing.T) {
	b := dataflow.NewBuilder(false)
	equal := b.Binary(dataflow.Equal, b.Input("x", 1), b.Input("y", 1))
	schedule := dataflow.NewSchedule(b.Values(), equal)
	inf := float32(math.Inf(1))
	x := []float32{1, 1, 1, 0, -3, inf, inf, 1e-20}
	y := []float32{1, math.Nextafter32(1, 2), 1.0001, 1e-9, math.Nextafter32(-3, 0), inf, 1, 2e-20}
	want := []float32{1, 1, 0, 0, 1, 1, 0, 0}
	m, err := Stage(&schedule.Once[0], Size{Rows: len(x), Vertices: len(x)}, none)
	if err != nil {
		t.Fatal(err)
	}
	session, err := orttest.Runtime(t).NewSession(m.Graph.Model(), ort.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	binding, err := session.Bind()
	if err != nil {
		t.Fatal(err)
	}
	defer binding.Close()
	got := make([]float32, len(x))
	for _, o := range m.Inputs {
		numbers := map[string][]float32{"x": x, "y": y}[o.Value.Name]
		err = errors.Join(err, binding.BindInput(o.Name, o.Type, o.Shape, onnx.Bytes(numbers)))
	}
	o := m.Outputs[0]
	err = errors.Join(err, binding.BindOutput(o.Name, o.Type, o.Shape, onnx.Bytes(got)))
	if err = errors.Join(err, binding.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v; expected %v", got, want)
	}
}
