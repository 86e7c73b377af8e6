package blockwise

import (
	"encoding/binary"
	"math"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Numbers reads and writes numbers of a floating-point type in memory.
type Numbers struct {
	Get func(memory []byte, at int) float64
	Set func(memory []byte, at int, x float64)
}

// NumbersOf are those of a type.
func NumbersOf(t onnx.Type) Numbers {
	little := binary.LittleEndian
	switch t {
	case onnx.Float16:
		return Numbers{
			func(m []byte, at int) float64 { return float64(onnx.Half(little.Uint16(m[2*at:])).Float32()) },
			func(m []byte, at int, x float64) { little.PutUint16(m[2*at:], uint16(onnx.HalfOf(float32(x)))) },
		}
	case onnx.Float32:
		return Numbers{
			func(m []byte, at int) float64 { return float64(math.Float32frombits(little.Uint32(m[4*at:]))) },
			func(m []byte, at int, x float64) { little.PutUint32(m[4*at:], math.Float32bits(float32(x))) },
		}
	}
	return Numbers{
		func(m []byte, at int) float64 { return math.Float64frombits(little.Uint64(m[8*at:])) },
		func(m []byte, at int, x float64) { little.PutUint64(m[8*at:], math.Float64bits(x)) },
	}
}
