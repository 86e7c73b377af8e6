package ort_test

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// What goes from run to run stays with the provider, and comes to the host in the last.
func TestFeed_PowersOfAMatrix(t *testing.T) {
	g := &onnx.Graph{Name: "power"}
	a, x := g.Input("a", onnx.Float64, 2, 2), g.Input("x", onnx.Float64, 2, 1)
	g.As("y", "MatMul", []string{a, x})
	g.Output("y", onnx.Float64, 2, 1)
	b := bound(t, orttest.Runtime(t), g, ort.Options{})
	matrix, x0, y := []float64{1, 1, 1, 0}, []float64{1, 0}, make([]float64, 2)
	must(t, b.BindInput("a", onnx.Float64, []int64{2, 2}, onnx.Bytes(matrix)))
	must(t, b.BindInput("x", onnx.Float64, []int64{2, 1}, onnx.Bytes(x0)))
	must(t, b.BindOutputToDevice("y"))
	for range 10 {
		must(t, b.Run(context.Background()))
		must(t, b.Feed("y", "x"))
	}
	must(t, b.BindOutput("y", onnx.Float64, []int64{2, 1}, onnx.Bytes(y)))
	must(t, b.Run(context.Background()))
	if want := []float64{144, 89}; !slices.Equal(y, want) { // Fibonacci's numbers
		t.Fatalf("got %v, want %v", y, want)
	}
	if want := []float64{1, 0}; !slices.Equal(x0, want) {
		t.Fatalf("the first input was written to: %v", x0)
	}
}

func TestFeed_NoSuchOutput(t *testing.T) {
	b := bound(t, orttest.Runtime(t), minPlus(2), ort.Options{})
	if err := b.Feed("z", "x"); !isCode(err, ort.InvalidArgument) {
		t.Fatalf("got %v", err)
	}
}
