package value

import (
	"math"
	"math/big"
	"strconv"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// Parts are what a duration is made of: months, days, seconds and nanoseconds. They may have
// fractions, which are passed on to the next smaller part; an average month has 30.436875 days.
type Parts [4]*big.Rat

const (
	inMonths = iota
	inDays
	inSeconds
	inNanos
)

var (
	daysPerMonth = big.NewRat(secondsPerMonth, calendar.SecondsPerDay)
	perDay       = big.NewRat(calendar.SecondsPerDay, 1)
	perSecond    = big.NewRat(1e9, 1)
)

// SpanOf is the duration of parts. What is left of a nanosecond is dropped.
func SpanOf(p Parts) (Span, error) {
	months, rest := whole(p[inMonths])
	days, rest := whole(rest.Add(rest.Mul(rest, daysPerMonth), p[inDays]))
	seconds, rest := whole(rest.Add(rest.Mul(rest, perDay), p[inSeconds]))
	nanos, _ := whole(rest.Add(rest.Mul(rest, perSecond), p[inNanos]))
	carry, below := new(big.Int).DivMod(nanos, perSecond.Num(), new(big.Int))
	seconds.Add(seconds, carry)
	if !months.IsInt64() || !days.IsInt64() || !seconds.IsInt64() {
		return Span{}, &calendar.RangeError{What: "the duration"}
	}
	return Span{months.Int64(), days.Int64(), seconds.Int64(), int32(below.Int64())}, nil
}

// whole splits a number into the integer towards zero and the rest.
func whole(r *big.Rat) (*big.Int, *big.Rat) {
	n := new(big.Int).Quo(r.Num(), r.Denom())
	return n, new(big.Rat).Sub(r, new(big.Rat).SetInt(n))
}

// Decimal is a number as it is written: 0.1 is a tenth. It is nil for NaN and infinity.
func Decimal(n Value) *big.Rat {
	if n.kind == Int {
		return new(big.Rat).SetInt64(n.Int())
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(n.Float(), 'g', -1, 64))
	if !ok {
		return nil
	}
	return r
}

func (s Span) parts() Parts {
	return Parts{big.NewRat(s.Months, 1), big.NewRat(s.Days, 1), big.NewRat(s.Seconds, 1), big.NewRat(int64(s.Nanos), 1)}
}

// Plus is the sum, part by part.
func (s Span) Plus(t Span) (Span, error) {
	nanos := s.Nanos + t.Nanos
	carry := nanos / 1e9
	months, fits := add(s.Months, t.Months, true)
	days, fits := add(s.Days, t.Days, fits)
	seconds, fits := add(s.Seconds, t.Seconds, fits)
	seconds, fits = add(seconds, int64(carry), fits)
	if !fits {
		return Span{}, &calendar.RangeError{What: "the duration"}
	}
	return Span{months, days, seconds, nanos - carry*1e9}, nil
}

// add keeps track of whether sums have 64 bits.
func add(a, b int64, fits bool) (int64, bool) {
	sum := a + b
	return sum, fits && (sum < a) == (b < 0)
}

// Minus is the difference, part by part.
func (s Span) Minus(t Span) (Span, error) {
	if least := min(t.Months, t.Days, t.Seconds); least == math.MinInt64 {
		return Span{}, &calendar.RangeError{What: "the duration"}
	}
	back := Span{Months: -t.Months, Days: -t.Days, Seconds: -t.Seconds}
	if t.Nanos > 0 {
		back.Seconds, back.Nanos = back.Seconds-1, 1e9-t.Nanos
	}
	return s.Plus(back)
}

// Times is the product, part by part.
func (s Span) Times(factor *big.Rat) (Span, error) {
	p := s.parts()
	for _, part := range p {
		part.Mul(part, factor)
	}
	return SpanOf(p)
}

// units are how much of a part each unit is.
var units = map[string]struct {
	part int
	n    int64
}{
	"years": {inMonths, 12}, "quarters": {inMonths, 3}, "months": {inMonths, 1}, "weeks": {inDays, 7}, "days": {inDays, 1},
	"hours": {inSeconds, 3600}, "minutes": {inSeconds, 60}, "seconds": {inSeconds, 1},
	"milliseconds": {inNanos, 1e6}, "microseconds": {inNanos, 1e3}, "nanoseconds": {inNanos, 1},
}

// IsUnit tells whether durations have parts of a name: "weeks".
func IsUnit(name string) bool {
	_, ok := units[name]
	return ok
}

// PartsOf adds up amounts of units.
func PartsOf(amounts map[string]*big.Rat) Parts {
	p := Parts{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
	for name, amount := range amounts {
		unit := units[name]
		sum := p[unit.part]
		sum.Add(sum, new(big.Rat).Mul(amount, big.NewRat(unit.n, 1)))
	}
	return p
}
