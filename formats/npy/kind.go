package npy

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/float16"
)

// kind is a type of numbers.
type kind struct {
	size     int
	integers bool
	integer  func([]byte) int64
	float    func([]byte) float64
}

// stored is the type that the numbers have as a property.
func (k kind) stored() arrow.DataType {
	if k.integers {
		return arrow.PrimitiveTypes.Int64
	}
	return arrow.PrimitiveTypes.Float64
}

func integers(size int, read func([]byte) int64) kind {
	return kind{size: size, integers: true, integer: read}
}

func floats(size int, read func([]byte) float64) kind { return kind{size: size, float: read} }

// kinds are the types that are read, by NumPy's names.
var kinds = map[string]kind{
	"b1": integers(1, func(b []byte) int64 { return int64(b[0]) }),
	"i1": integers(1, func(b []byte) int64 { return int64(int8(b[0])) }),
	"u1": integers(1, func(b []byte) int64 { return int64(b[0]) }),
	"i2": integers(2, func(b []byte) int64 { return int64(int16(binary.LittleEndian.Uint16(b))) }),
	"u2": integers(2, func(b []byte) int64 { return int64(binary.LittleEndian.Uint16(b)) }),
	"i4": integers(4, func(b []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(b))) }),
	"u4": integers(4, func(b []byte) int64 { return int64(binary.LittleEndian.Uint32(b)) }),
	"i8": integers(8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }),
	"f2": floats(2, func(b []byte) float64 {
		return float64(float16.FromBits(binary.LittleEndian.Uint16(b)).Float32())
	}),
	"f4": floats(4, func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }),
	"f8": floats(8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }),
}
