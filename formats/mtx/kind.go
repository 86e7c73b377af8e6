package mtx

import (
	"fmt"
	"math"
)

// kind is a type that SuiteSparse writes as "%%GraphBLAS type …": the values an entry may have.
type kind struct {
	name     string
	integral bool
	min, max float64 // inclusive
}

// kinds by the names in the file. Bounds of 64 bits are never reached: such integers
// are refused before.
var kinds = map[string]kind{
	"bool":     {"bool", true, 0, 1},
	"int8_t":   {"int8_t", true, math.MinInt8, math.MaxInt8},
	"int16_t":  {"int16_t", true, math.MinInt16, math.MaxInt16},
	"int32_t":  {"int32_t", true, math.MinInt32, math.MaxInt32},
	"int64_t":  {"int64_t", true, math.MinInt64, math.MaxInt64},
	"uint8_t":  {"uint8_t", true, 0, math.MaxUint8},
	"uint16_t": {"uint16_t", true, 0, math.MaxUint16},
	"uint32_t": {"uint32_t", true, 0, math.MaxUint32},
	"uint64_t": {"uint64_t", true, 0, math.MaxUint64},
	"float":    {"float", false, -math.MaxFloat32, math.MaxFloat32},
	"double":   {"double", false, -math.MaxFloat64, math.MaxFloat64},
}

func (k kind) unsigned() bool { return k.min == 0 }

// holds is true when x is a value of the type. A nil kind holds everything.
func (k *kind) holds(x float64) bool {
	return k == nil || x >= k.min && x <= k.max && (!k.integral || x == math.Trunc(x))
}

func (k *kind) String() string {
	if k.integral {
		return fmt.Sprintf("an integer from %.0f to %.0f (%s)", k.min, k.max, k.name)
	}
	return fmt.Sprintf("a finite number (%s)", k.name)
}
