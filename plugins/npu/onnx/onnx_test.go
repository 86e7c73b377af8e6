package onnx_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// bind makes a binding of the model; what reads the format here is the runtime.
func bind(t *testing.T, g *onnx.Graph) *ort.Binding {
	t.Helper()
	session, err := orttest.Runtime(t).NewSession(g.Model(), ort.Options{})
	must(t, err)
	b, err := session.Bind()
	must(t, err)
	t.Cleanup(func() { b.Close(); session.Close() })
	return b
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func input[T onnx.Element](t *testing.T, b *ort.Binding, name string, shape []int64, values ...T) {
	t.Helper()
	must(t, b.BindInput(name, onnx.TypeFor[T](), shape, onnx.Bytes(values)))
}

func output[T onnx.Element](t *testing.T, b *ort.Binding, name string, shape []int64, size int) []T {
	t.Helper()
	values := make([]T, size)
	must(t, b.BindOutput(name, onnx.TypeFor[T](), shape, onnx.Bytes(values)))
	return values
}

// Constants of every type come out as they went in.
func TestTensor_EveryType(t *testing.T) {
	through(t, true, false)
	through[float32](t, -1.5, math.MaxFloat32)
	through(t, math.Inf(-1), 1e-300)
	through[int8](t, -128, 127)
	through[int16](t, -32768, 1)
	through[int32](t, math.MinInt32, 1)
	through[int64](t, math.MinInt64, 1)
	through[uint8](t, 255, 1)
	through[uint16](t, 65535, 1)
	through[uint32](t, math.MaxUint32, 1)
	through[uint64](t, math.MaxUint64, 1)
	through(t, onnx.HalfOf(1.5), onnx.HalfOf(-65504))
}

func through[T onnx.Element](t *testing.T, values ...T) {
	t.Helper()
	kind, g := onnx.TypeFor[T](), &onnx.Graph{Name: "constants"}
	g.As("initializer", "Identity", []string{g.Initializer(onnx.Vector("", values...))})
	g.As("attribute", "Constant", nil, onnx.Constant("value", onnx.Scalar("", values[0])))
	g.Output("initializer", kind, int64(len(values)))
	g.Output("attribute", kind)
	b := bind(t, g)
	vector, scalar := output[T](t, b, "initializer", []int64{int64(len(values))}, len(values)),
		output[T](t, b, "attribute", nil, 1)
	must(t, b.Run(t.Context()))
	if !slices.Equal(vector, values) || scalar[0] != values[0] {
		t.Errorf("%v: got %v and %v, want %v", kind, vector, scalar, values)
	}
	if len(onnx.Bytes(values)) != len(values)*int(kind.Size()) {
		t.Errorf("%v: an element is said to have %d bytes", kind, kind.Size())
	}
}

// Attributes of each kind: numbers, lists, text and graphs.
func TestAttribute_EveryKind(t *testing.T) {
	g := &onnx.Graph{Name: "attributes"}
	x := g.Input("x", onnx.Float32, 2, 3)
	leaky := g.Node("LeakyRelu", []string{x}, onnx.Float("alpha", 0.5))
	turned := g.Node("Transpose", []string{leaky}, onnx.Ints("perm", 1, 0))
	joined := g.Node("Concat", []string{turned, turned}, onnx.Int("axis", -1))
	summed := g.Node("Einsum", []string{joined}, onnx.Text("equation", "ij->i"))
	yes, no := &onnx.Graph{Name: "yes"}, &onnx.Graph{Name: "no"}
	for _, branch := range []*onnx.Graph{yes, no} {
		operator := map[*onnx.Graph]string{yes: "Abs", no: "Neg"}[branch]
		branch.As("y", operator, []string{summed})
		branch.Output("y", onnx.Float32, 3)
	}
	g.As("z", "If", []string{g.Input("positive", onnx.Bool)}, onnx.Body("then_branch", yes), onnx.Body("else_branch", no))
	g.Output("z", onnx.Float32, 3)

	b := bind(t, g)
	input[float32](t, b, "x", []int64{2, 3}, 1, -2, 3, -4, 5, -6)
	z := output[float32](t, b, "z", []int64{3}, 3)
	for _, c := range []struct {
		positive bool
		want     []float32
	}{{true, []float32{2, 8, 0}}, {false, []float32{2, -8, 0}}} {
		input(t, b, "positive", nil, c.positive)
		must(t, b.Run(t.Context()))
		if !slices.Equal(z, c.want) {
			t.Errorf("positive is %v: got %v, want %v", c.positive, z, c.want)
		}
	}
}

// A dimension that is not known fits any size; a name of an operator's domain leads to the runtime's own.
func TestGraph_AnySizeAndContributedOperators(t *testing.T) {
	g := &onnx.Graph{Name: "gelu"}
	x := g.Input("x", onnx.Float32, -1)
	g.As("y", "Identity", []string{g.Domain(onnx.Microsoft, "Gelu", []string{x})})
	g.Output("y", onnx.Float32, -1)
	b := bind(t, g)
	for size := range 4 {
		x, shape := make([]float32, size), []int64{int64(size)}
		for i := range x {
			x[i] = 40 * float32(i)
		}
		input(t, b, "x", shape, x...)
		y := output[float32](t, b, "y", shape, size)
		must(t, b.Run(t.Context()))
		if !slices.Equal(x, y) { // x times a chance of 1, or 0
			t.Errorf("got %v, want %v", y, x)
		}
	}
}

func TestHalf_AsTheRuntimeHasIt(t *testing.T) {
	g := &onnx.Graph{Name: "halves"}
	g.As("single", "Cast", []string{g.Input("half", onnx.Float16, 1<<16)}, onnx.Int("to", int64(onnx.Float32)))
	g.As("rounded", "Cast", []string{g.Input("x", onnx.Float32, 1<<16)}, onnx.Int("to", int64(onnx.Float16)))
	g.Output("single", onnx.Float32, 1<<16)
	g.Output("rounded", onnx.Float16, 1<<16)
	b := bind(t, g)

	random := testseed.Rand(t)
	half, x := make([]onnx.Half, 1<<16), make([]float32, 1<<16)
	for i := range half {
		half[i] = onnx.Half(i)
		x[i] = nearHalves(random, onnx.Half(i))
	}
	shape := []int64{1 << 16}
	input(t, b, "half", shape, half...)
	input(t, b, "x", shape, x...)
	single, rounded := output[float32](t, b, "single", shape, 1<<16), output[onnx.Half](t, b, "rounded", shape, 1<<16)
	must(t, b.Run(t.Context()))
	for i := range half {
		if got := half[i].Float32(); got != single[i] && (got == got || single[i] == single[i]) {
			t.Fatalf("half %#04x is %v, want %v", i, got, single[i])
		}
		if got := onnx.HalfOf(x[i]); got != rounded[i] && x[i] == x[i] {
			t.Fatalf("%v rounds to %#04x, want %#04x", x[i], got, rounded[i])
		}
	}
}

// nearHalves is a number at, or between two, halves: often just in the middle, or a bit beside it.
func nearHalves(random *rand.Rand, h onnx.Half) float32 {
	bits := math.Float32bits(h.Float32())
	switch random.IntN(4) {
	case 0:
		return math.Float32frombits(bits | 1<<12)
	case 1:
		return math.Float32frombits(bits | 1<<12 - uint32(random.IntN(2)))
	case 2:
		return math.Float32frombits(bits | uint32(random.IntN(1<<13)))
	}
	return math.Float32frombits(random.Uint32())
}
