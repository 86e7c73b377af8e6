//go:build ignore

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// wide is functions of sixteen numbers at a time: the operations of those of eight, in their order.
type wide struct{}

// all is a constant in all places.
func (wide) all(m Mem) VecVirtual {
	x := ZMM()
	VBROADCASTSS(m, x)
	return x
}

// reduced is that of eight numbers.
func (w wide) reduced(x VecVirtual) (n, r, p VecVirtual) {
	n, r = w.all(number(math.Log2E)), ZMM()
	whole := ZMM()
	VFMADD213PS_BCST(eight(rounding), x, n)
	VSUBPS_BCST(eight(rounding), n, whole)
	VMOVAPS(x, r)
	VFNMADD231PS_BCST(number(0.693359375), whole, r)
	VFNMADD231PS_BCST(number(-2.12194440e-4), whole, r)
	VPSUBD_BCST(eight(rounding), n, n)
	p = w.all(number(1.9875691500e-4))
	for _, c := range expTerms {
		VFMADD213PS_BCST(number(c), r, p)
	}
	square := ZMM()
	VMULPS(r, r, square)
	VFMADD213PS(r, square, p)
	return n, r, p
}

// limited is x where exp is neither 0 nor infinite. It changes x.
func (w wide) limited(x VecVirtual) {
	VMINPS(x, w.all(number(89)), x)
	VMAXPS(x, w.all(number(-104)), x)
}

// power multiplies p by two powers of two, which come to 2ⁿ. It changes n.
func (wide) power(n, p VecVirtual) {
	half := ZMM()
	VPSRAD(Imm(1), n, half)
	VPSUBD(half, n, n)
	for _, e := range []VecVirtual{half, n} {
		VPADDD_BCST(eight(127), e, e)
		VPSLLD(Imm(23), e, e)
		VMULPS(e, p, p)
	}
}

// exp is that of eight numbers. It changes x.
func (w wide) exp(x VecVirtual) VecVirtual {
	w.limited(x)
	n, _, p := w.reduced(x)
	VADDPS_BCST(number(1), p, p)
	w.power(n, p)
	return p
}

// positive is where x is above 0.
func (wide) positive(x VecVirtual) OpmaskVirtual {
	zero, above := ZMM(), K()
	VPXORD(zero, zero, zero)
	VCMPPS(Imm(0x1e), zero, x, above)
	return above
}

// elus computes elu and its slope, which are made of the same polynomial.
func elus() {
	function("elusAVX512", "func(to, slopes, from *float32, n int)")
	Doc("computes elu and its slope of n numbers.")
	to, slopes, from, n := load("to"), load("slopes"), load("from"), load("n")
	w := wide{}
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k, x, y := first(n, 16), ZMM(), ZMM()
	VMOVUPS_Z(Mem{Base: from}, k, x)
	above := w.positive(x)
	VMOVAPS(x, y)
	w.limited(y)
	scale, _, p := w.reduced(y)
	slope, less, least := ZMM(), ZMM(), ZMM()
	VADDPS_BCST(number(1), p, slope)
	VMOVDQA64(scale, less)
	w.power(less, slope)
	VMOVAPS(w.all(number(1)), above, slope)
	VMOVUPS(slope, k, Mem{Base: slopes})
	VPBROADCASTD(eight(1<<32-126), least) // 2ⁿ is no less
	VPMAXSD(least, scale, scale)
	VPADDD_BCST(eight(127), scale, scale)
	VPSLLD(Imm(23), scale, scale)
	VSUBPS_BCST(number(1), scale, less)
	VFMADD213PS(less, scale, p)
	VMOVAPS(x, above, p)
	VMOVUPS(p, k, Mem{Base: to})
	for _, p := range []Register{to, slopes, from} {
		ADDQ(Imm(64), p)
	}
	SUBQ(Imm(16), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// lessMost makes rows less their largest number each.
func lessMost() {
	function("lessMostAVX512", "func(to, most, x *float32, n, width int)")
	Doc("makes n rows of up to sixteen numbers less the largest of each, which it writes too where most is not nil.")
	to, most, x, n, stride := load("to"), load("most"), load("x"), load("n"), bytes("width")
	columns := first(load("width"), 16)
	least := wide{}.all(eight(0xff800000)) // minus infinity
	Label("row")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	row, half, quarter, all := ZMM(), YMM(), XMM(), ZMM()
	VMOVAPS(least, row)
	VMOVUPS(Mem{Base: x}, columns, row)
	VEXTRACTF32X8(Imm(1), row, half)
	VMAXPS(row.AsY(), half, half)
	VEXTRACTF128(Imm(1), half, quarter)
	VMAXPS(half.AsX(), quarter, quarter)
	pair := XMM()
	VPERMILPS(Imm(0x4e), quarter, pair)
	VMAXPS(quarter, pair, quarter)
	VPERMILPS(Imm(0xb1), quarter, pair)
	VMAXPS(quarter, pair, quarter)
	VBROADCASTSS(quarter, all)
	VSUBPS(all, row, row)
	VMOVUPS(row, columns, Mem{Base: to})
	TESTQ(most, most)
	JZ(LabelRef("next"))
	VMOVSS(quarter, Mem{Base: most})
	ADDQ(Imm(4), most)
	Label("next")
	ADDQ(stride, to)
	ADDQ(stride, x)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
