package ort

import (
	"math"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Facts are what may be expected of a provider's results.
type Facts struct {
	Provider Provider
	// Status says whether it has run on its hardware; it goes wherever the provider is offered.
	Status string
	// Types are those of numbers that it computes with as they are. Which operators it has for
	// which type, a session tells.
	Types []onnx.Type
	// Float is the widest floating-point type that it computes in, whatever a model says.
	Float onnx.Type
	// Exact is the largest whole number up to which Float holds all.
	Exact int64
	// Infinity stands for no path in Float. It can be added to itself without becoming anything that the
	// hardware does not order as a number.
	Infinity float64
	// Loop: it has the operators Loop and If; else steps must be unrolled.
	Loop bool
	// Bucket is what sizes are rounded up to a multiple of, because each new shape is compiled anew.
	Bucket uint64
}

// What Status may say.
const (
	Tested   = "tested"
	Untested = "builds, not yet run on hardware"
)

// Facts of the provider.
func (p Provider) Facts() Facts {
	f := facts[p]
	f.Provider = p
	return f
}

var (
	numbers = []onnx.Type{onnx.Bool, onnx.Uint8, onnx.Int8, onnx.Int32, onnx.Int64, onnx.Float32}
	double  = append(numbers[:len(numbers):len(numbers)], onnx.Float64)
	half    = []onnx.Type{onnx.Bool, onnx.Uint8, onnx.Int8, onnx.Float16}

	// Half precision: 2 · 16384 is below the largest number, 65504, and whole numbers are exact up to 2^11.
	halfPrecision = Facts{Status: Untested, Types: half, Float: onnx.Float16, Exact: 1 << 11, Infinity: 16384, Bucket: 256}
	facts         = map[Provider]Facts{
		CPU: {Status: Tested, Types: double, Float: onnx.Float64, Exact: 1 << 53, Infinity: math.Inf(1), Loop: true,
			Bucket: 1},
		CUDA: {Status: Untested, Types: double, Float: onnx.Float64, Exact: 1 << 53, Infinity: math.Inf(1), Loop: true,
			Bucket: 1},
		// TensorRT has no double precision, and compiles an engine for each shape.
		TensorRT: {Status: Untested, Types: numbers, Float: onnx.Float32, Exact: 1 << 24, Infinity: 1e30, Loop: true,
			Bucket: 256},
		CANN:     halfPrecision,
		OpenVINO: halfPrecision,
		QNN:      halfPrecision,
	}
)
