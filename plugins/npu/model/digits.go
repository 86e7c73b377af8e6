package model

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
)

// digits are float64 to be added up, as whole numbers of a unit that is a power of two, written in
// digits of base 256 (fixed point). The unit is so small that what it cuts off of the smallest message
// is less than precise of it; often it cuts off nothing.
type digits struct {
	messages, acc []float64
	unit          int // the exponent of the last digit's unit
	count         int // of digits
	negative      bool
	strange       []float64 // which of +Inf, -Inf and NaN there are
}

// precise is how many bits of the smallest message are kept at least. Where messages have both signs
// all are: their sum may be small.
const precise = 40

// mantissa is how many bits a float64 has.
const mantissa = 53

func newDigits(l *sending) *digits {
	d := &digits{messages: l.messages.Floats, acc: l.Acc.Floats}
	top, bottom, last := math.MinInt, math.MaxInt, math.MaxInt
	var plusInf, minusInf, nan, positive bool
	for _, x := range d.messages {
		switch {
		case x == 0:
		case x-x != 0:
			plusInf, minusInf, nan = plusInf || x > 0, minusInf || x < 0, nan || x != x
		default:
			m, e := parts(x)
			top, bottom, last = max(top, e+bits.Len64(m)), min(bottom, e+bits.Len64(m)), min(last, e+bits.TrailingZeros64(m))
			d.negative, positive = d.negative || x < 0, positive || x > 0
		}
	}
	for _, s := range []struct {
		there bool
		value float64
	}{{plusInf, math.Inf(1)}, {minusInf, math.Inf(-1)}, {nan, math.NaN()}} {
		if s.there {
			d.strange = append(d.strange, s.value)
		}
	}
	if top > bottom-1 && last != math.MaxInt {
		kept := precise
		if d.negative && positive {
			kept = mantissa
		}
		d.unit = max(last, bottom-kept)
		d.count = blockwise.Ceil(top-d.unit+1, 8)
	}
	return d
}

// parts of a finite x: |x| is m·2^e.
func parts(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

func (d *digits) rows(int) int { return d.signs()*d.count + len(d.strange) }

func (d *digits) signs() int {
	if d.negative {
		return 2
	}
	return 1
}

func (d *digits) encode(row func(k int) []byte) {
	rows := make([][]byte, d.rows(0))
	for k := range rows {
		rows[k] = row(k)
		clear(rows[k])
	}
	for v, x := range d.messages {
		switch {
		case x == 0:
		case x-x != 0:
			rows[len(rows)-len(d.strange)+d.strangeness(x)][v] = 1
		case x < 0:
			d.write(rows[d.count:], v, x)
		default:
			d.write(rows, v, x)
		}
	}
}

func (d *digits) strangeness(x float64) int {
	for i, s := range d.strange {
		if s == x || s != s && x != x {
			return i
		}
	}
	return -1
}

// write writes |x| in digits, rounded to the unit.
func (d *digits) write(rows [][]byte, v int, x float64) {
	m, e := parts(x)
	e -= d.unit
	if e < 0 {
		half := uint64(1) << (-e - 1)
		m, e = (m+half)>>-e, 0
	}
	m <<= e % 8
	for k := e / 8; m != 0; k++ {
		rows[k][v] = byte(m)
		m >>= 8
	}
}

func (*digits) wants(int, int) bool { return true }

func (d *digits) decode(sums func(k int, do func(from int, sums []int32, edges int64))) bool {
	clear(d.acc)
	for k := range d.count {
		unit := math.Ldexp(1, d.unit+8*k)
		sums(k, d.adder(unit))
		if d.negative {
			sums(d.count+k, d.adder(-unit))
		}
	}
	for i, s := range d.strange {
		sums(d.signs()*d.count+i, func(from int, sums []int32, _ int64) {
			for i, sum := range sums {
				if sum > 0 {
					d.acc[from+i] += s
				}
			}
		})
	}
	return false
}

// adder adds so many units, for each of so many edges, to the accumulators.
func (d *digits) adder(unit float64) func(from int, sums []int32, edges int64) {
	return func(from int, sums []int32, edges int64) {
		acc := d.acc[from:][:len(sums)]
		for i, sum := range sums {
			if sum != 0 { // the unit of a digit for the carry may be infinite
				acc[i] += float64(int64(sum)*edges) * unit
			}
		}
	}
}
