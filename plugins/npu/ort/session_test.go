package ort_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// minPlus is one step of shortest paths: y = min over columns of w + x.
func minPlus(n int64) *onnx.Graph {
	g := &onnx.Graph{Name: "minplus"}
	w, x := g.Input("w", onnx.Float32, n, n), g.Input("x", onnx.Float32, n)
	axis := g.Initializer(onnx.Vector[int64]("", 1))
	sum := g.Node("Add", []string{w, x})
	g.As("y", "ReduceMin", []string{sum, axis}, onnx.Int("keepdims", 0))
	g.Output("y", onnx.Float32, n)
	return g
}

// bound is a binding of a session of the graph; the test's end closes both.
func bound(t testing.TB, r *ort.Runtime, g *onnx.Graph, o ort.Options) *ort.Binding {
	t.Helper()
	session, err := r.NewSession(g.Model(), o)
	must(t, err)
	binding, err := session.Bind()
	must(t, err)
	t.Cleanup(func() { binding.Close(); session.Close() })
	return binding
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func isCode(err error, code ort.Code) bool { return errors.Is(err, code) }

func TestRun_ReadsAndWritesInPlace(t *testing.T) {
	b := bound(t, orttest.Runtime(t), minPlus(3), ort.Options{})
	w := []float32{9, 1, 9, 2, 9, 9, 9, 4, 0}
	x, y := []float32{0, 10, 20}, make([]float32, 3)
	must(t, b.BindInput("w", onnx.Float32, []int64{3, 3}, onnx.Bytes(w)))
	must(t, b.BindInput("x", onnx.Float32, []int64{3}, onnx.Bytes(x)))
	must(t, b.BindOutput("y", onnx.Float32, []int64{3}, onnx.Bytes(y)))
	must(t, b.Run(context.Background()))
	if want := []float32{9, 2, 9}; !slices.Equal(y, want) {
		t.Fatalf("got %v, want %v", y, want)
	}
	x[0] = 100 // bound, not copied
	must(t, b.Run(context.Background()))
	if want := []float32{11, 19, 14}; !slices.Equal(y, want) {
		t.Fatalf("got %v, want %v", y, want)
	}
	other := []float32{1, 1, 1} // takes the place of x
	must(t, b.BindInput("x", onnx.Float32, []int64{3}, onnx.Bytes(other)))
	must(t, b.Run(context.Background()))
	if want := []float32{2, 3, 1}; !slices.Equal(y, want) {
		t.Fatalf("got %v, want %v", y, want)
	}
}

func TestBind_MisfitsAreNamed(t *testing.T) {
	b := bound(t, orttest.Runtime(t), minPlus(3), ort.Options{})
	six := make([]byte, 24)
	for what, err := range map[string]error{
		"memory too small": b.BindInput("w", onnx.Float32, []int64{3, 3}, six),
		"a negative size":  b.BindInput("w", onnx.Float32, []int64{-2, -3}, six),
		"a product beyond": b.BindInput("w", onnx.Float32, []int64{1 << 40, 1 << 40}, six),
		"no such type":     b.BindInput("w", onnx.Type(99), []int64{6}, six),
		"no such input":    b.BindInput("v", onnx.Float32, []int64{2, 3}, six),
	} {
		failure := (*ort.Error)(nil)
		if !errors.As(err, &failure) || !strings.Contains(failure.Doing, "put ") {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

// The library looks at the names of outputs when it runs.
func TestRun_NamesWhatIsNotThere(t *testing.T) {
	b := bound(t, orttest.Runtime(t), minPlus(1), ort.Options{})
	must(t, b.BindInput("w", onnx.Float32, []int64{1, 1}, make([]byte, 4)))
	must(t, b.BindInput("x", onnx.Float32, []int64{1}, make([]byte, 4)))
	must(t, b.BindOutput("missing", onnx.Float32, []int64{1}, make([]byte, 4)))
	if err := b.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Fatalf("got %v", err)
	}
}
