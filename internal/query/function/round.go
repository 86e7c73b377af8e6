package function

import (
	"math"
	"math/big"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

func init() { Register(pure("round", 1, takes(number, number, text), round)) }

// round to the nearest integer, and to the greater of two; or, as decimals are rounded, to some
// places behind the point.
func round(_ *Call, args []value.Value) (value.Value, error) {
	n := args[0].Number()
	if len(args) == 1 {
		return value.OfFloat(nearest(n)), nil
	}
	mode := "HALF_UP"
	if len(args) == 3 {
		mode = strings.ToUpper(args[2].Str())
	}
	up, ok := modes[mode]
	if !ok {
		return value.Value{}, outOfRange(
			"round() has no mode %s: use UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_DOWN or HALF_EVEN", mode)
	}
	return roundTo(args[0], args[1].Number(), up)
}

func nearest(n float64) float64 {
	below := math.Floor(n)
	if n-below >= 0.5 {
		return below + 1
	}
	return below
}

// remainder is what rounding decides by: the sign of the number, how the digits to be dropped
// compare to a half, and whether the last to be kept is odd.
type remainder struct {
	negative bool
	half     int
	odd      bool
}

// modes tell whether a number that isn't round goes away from zero.
var modes = map[string]func(remainder) bool{
	"UP":        func(remainder) bool { return true },
	"DOWN":      func(remainder) bool { return false },
	"CEILING":   func(r remainder) bool { return !r.negative },
	"FLOOR":     func(r remainder) bool { return r.negative },
	"HALF_UP":   func(r remainder) bool { return r.half >= 0 },
	"HALF_DOWN": func(r remainder) bool { return r.half > 0 },
	"HALF_EVEN": func(r remainder) bool { return r.half > 0 || r.half == 0 && r.odd },
}

// roundTo rounds the decimal that the number is written as.
func roundTo(n value.Value, places float64, up func(remainder) bool) (value.Value, error) {
	if places != math.Trunc(places) || places < 0 || places > 400 {
		return value.Value{}, outOfRange("round() takes a precision from 0 to 400, not %v", places)
	}
	exact := value.Decimal(n)
	if exact == nil {
		return n, nil // NaN, infinity
	}
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
	scaled := new(big.Rat).Mul(exact, scale)
	kept, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	if rest.Sign() != 0 && up(remainder{
		negative: rest.Sign() < 0, odd: kept.Bit(0) == 1,
		half: new(big.Int).Lsh(new(big.Int).Abs(rest), 1).Cmp(scaled.Denom()),
	}) {
		kept.Add(kept, big.NewInt(int64(rest.Sign())))
	}
	f, _ := new(big.Rat).Quo(new(big.Rat).SetInt(kept), scale).Float64()
	return value.OfFloat(f), nil
}
