package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// unary are the operators of one number, with how many units of the last place they may be off.
var unary = map[kernels.Code]struct {
	of  dataflow.Op
	off float64
}{
	kernels.Negate: {dataflow.Negate, 0}, kernels.Relu: {dataflow.Relu, 0}, kernels.LeakyRelu: {dataflow.LeakyRelu, 1},
	kernels.Elu: {dataflow.Elu, 4}, kernels.Sigmoid: {dataflow.Sigmoid, 4}, kernels.Tanh: {dataflow.Tanh, 6},
	kernels.Exp: {dataflow.Exp, 3}, kernels.Log: {dataflow.Log, 3}, kernels.Sqrt: {dataflow.Sqrt, 1},
	kernels.Softplus: {dataflow.Softplus, 4}, kernels.Abs: {dataflow.Abs, 0}, kernels.Positive: {dataflow.Positive, 0},
	kernels.LeakySlope: {dataflow.LeakySlope, 1}, kernels.EluSlope: {dataflow.EluSlope, 3},
	kernels.Sign: {dataflow.Sign, 0},
}

// Functions are as exact as single precision allows, also where they are nearly 0, or nearly too large.
func TestNetworks_Functions(t *testing.T) {
	c := newCard(t)
	networks, err := kernels.LoadNetworks()
	must(t, err)
	defer networks.Unload()
	r := rand.New(rand.NewPCG(1, 2))
	xs := []float32{0, 1, -1, 1e-30, -1e-30, 88, -88, -103, 120, -120, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.SmallestNonzeroFloat32, math.MaxFloat32}
	for range 3000 {
		xs = append(xs, float32(r.NormFloat64()*math.Exp(6*r.NormFloat64())))
	}
	const slope = float32(0.2)
	from, to := up(c, xs...), c.alloc(4*uint64(len(xs)))
	for code, want := range unary {
		program := up(c, kernels.Instruction{Code: kernels.OfRow, A: 1, B: 1, At: uint64(from)},
			kernels.Instruction{Code: code, Number: slope}, kernels.Instruction{Code: kernels.End})
		must(t, networks.Rows(c.stream, uint64(len(xs)), 1, 0, program, to))
		for i, got := range down[float32](c, to, len(xs)) {
			exact := dataflow.Unary(want.of, float64(xs[i]), float64(slope))
			unit := math.Abs(exact) * 0x1p-23
			switch {
			case math.IsNaN(exact) && math.IsNaN(float64(got)), float64(got) == exact:
			case math.IsInf(float64(float32(exact)), 0) && float32(exact) == got:
			case math.Abs(exact) < 0x1p-126 && math.Abs(float64(got)) < 0x1p-126: // as good as 0
			case math.Abs(float64(got)-exact) <= (want.off+0.5)*unit:
			default:
				t.Fatalf("%v of %v is %v; expected %v: %.3g units off", want.of, xs[i], got, exact,
					math.Abs(float64(got)-exact)/unit)
			}
		}
	}
}
