package ort_test

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// minPlus is one step of shortest paths: y = min over columns of x + w, as the paper prints it.
func minPlus(n int64) *onnx.Graph {
	g := &onnx.Graph{Name: "minplus"}
	w, x := g.Input("w", onnx.Float32, n, n), g.Input("x", onnx.Float32, n)
	axis := g.Initializer(onnx.Vector[int64]("", 1))
	sum := g.Node("Add", []string{w, x})
	g.As("y", "ReduceMin", []string{sum, axis}, onnx.Int("keepdims", 0))
	g.Output("y", onnx.Float32, n)
	return g
}

func TestRun_MinPlus(t *testing.T) {
	session, err := orttest.Runtime(t).NewSession(minPlus(3).Model(), ort.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	binding, err := session.Bind()
	if err != nil {
		t.Fatal(err)
	}
	defer binding.Close()
	w := []float32{9, 1, 9, 2, 9, 9, 9, 4, 0}
	x, y := []float32{0, 10, 20}, make([]float32, 3)
	must(t, binding.BindInput("w", onnx.Float32, []int64{3, 3}, onnx.Bytes(w)))
	must(t, binding.BindInput("x", onnx.Float32, []int64{3}, onnx.Bytes(x)))
	must(t, binding.BindOutput("y", onnx.Float32, []int64{3}, onnx.Bytes(y)))
	must(t, binding.Run(context.Background()))
	if want := []float32{9, 2, 9}; !slices.Equal(y, want) {
		t.Fatalf("got %v, want %v", y, want)
	}
	x[0] = 100 // bound, not copied
	must(t, binding.Run(context.Background()))
	if want := []float32{11, 19, 14}; !slices.Equal(y, want) {
		t.Fatalf("got %v, want %v", y, want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
