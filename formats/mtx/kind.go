package mtx

import (
	"fmt"
	"math"
)

// kind is a type that SuiteSparse writes as "%%GraphBLAS type …": the values an entry may have.
type kind struct {
	name     string
	integral bool
	min, max int64 // inclusive, of integral types
}

// kinds by the names in the file. Values of uint64_t over the largest int64 are not supported.
var kinds = map[string]kind{
	"bool":     {"bool", true, 0, 1},
	"int8_t":   {"int8_t", true, math.MinInt8, math.MaxInt8},
	"int16_t":  {"int16_t", true, math.MinInt16, math.MaxInt16},
	"int32_t":  {"int32_t", true, math.MinInt32, math.MaxInt32},
	"int64_t":  {"int64_t", true, math.MinInt64, math.MaxInt64},
	"uint8_t":  {"uint8_t", true, 0, math.MaxUint8},
	"uint16_t": {"uint16_t", true, 0, math.MaxUint16},
	"uint32_t": {"uint32_t", true, 0, math.MaxUint32},
	"uint64_t": {"uint64_t", true, 0, math.MaxInt64},
	"float":    {"float", false, 0, 0},
	"double":   {"double", false, 0, 0},
}

func (k kind) unsigned() bool { return k.integral && k.min == 0 }

// holdsInt is true when n is a value of the type. A nil kind holds everything.
func (k *kind) holdsInt(n int64) bool {
	return k == nil || !k.integral || n >= k.min && n <= k.max
}

// holdsReal is true when x is a value of the type. A nil kind holds everything.
func (k *kind) holdsReal(x float64) bool {
	return k == nil || !k.integral || x == math.Trunc(x) && x >= float64(k.min) && x <= float64(k.max)
}

func (k *kind) String() string {
	if k.integral {
		return fmt.Sprintf("an integer from %d to %d (%s)", k.min, k.max, k.name)
	}
	return fmt.Sprintf("a finite number (%s)", k.name)
}
