//go:build ignore

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func number(x float64) Mem { return eight(math.Float32bits(float32(x))) }

// unaries are functions of one number, eight at a time on every processor, so that all compute the same bits.
func unaries() {
	unary("exp", func(x, _ VecVirtual) VecVirtual { return exp(x) })
	unary("sigmoid", func(x, _ VecVirtual) VecVirtual { // 1 / (1 + exp(-x))
		VXORPS(eight(1<<31), x, x)
		y := exp(x)
		one := YMM()
		VMOVUPS(number(1), one)
		VADDPS(one, y, y)
		VDIVPS(y, one, y)
		return y
	})
	unary("tanh", tanh)
	unary("elu", elu)
	unary("eluSlope", func(x, _ VecVirtual) VecVirtual {
		above, one := positive(x), YMM()
		y := exp(x)
		VMOVUPS(number(1), one)
		VBLENDVPS(above, one, y, y)
		return y
	})
	unary("relu", func(x, _ VecVirtual) VecVirtual {
		zero := YMM()
		VXORPS(zero, zero, zero)
		VMAXPS(x, zero, x) // of a NaN and another the second
		return x
	})
	unary("positive", func(x, _ VecVirtual) VecVirtual {
		above := positive(x)
		VANDPS(number(1), above, above)
		return above
	})
	unary("leakyRelu", func(x, slope VecVirtual) VecVirtual {
		above, y := positive(x), YMM()
		VMULPS(slope, x, y)
		VBLENDVPS(above, x, y, y)
		return y
	})
	unary("leakySlope", func(x, slope VecVirtual) VecVirtual {
		above, y := positive(x), YMM()
		VMOVUPS(number(1), y)
		VBLENDVPS(above, y, slope, y)
		return y
	})
}

// unary is a function of n numbers.
func unary(name string, f func(x, slope VecVirtual) VecVirtual) {
	function(name+"AVX2", "func(to, from *float32, n int, slope float32)")
	Doc("computes a function of n numbers.")
	to, from, n := load("to"), load("from"), load("n")
	slope, mask, x := YMM(), YMM(), YMM()
	broadcast("slope", slope)
	Label("loop")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	VMOVUPS(Mem{Base: from}, x)
	VMOVUPS(f(x, slope), Mem{Base: to})
	ADDQ(Imm(32), from)
	ADDQ(Imm(32), to)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	tail(n, mask)
	VMASKMOVPS(Mem{Base: from}, mask, x)
	VMASKMOVPS(f(x, slope), mask, Mem{Base: to})
	Label("done")
	VZEROUPPER()
	RET()
}

// positive is all ones where x is above 0.
func positive(x VecVirtual) VecVirtual {
	zero, above := YMM(), YMM()
	VXORPS(zero, zero, zero)
	VCMPPS(Imm(0x1e), zero, x, above)
	return above
}

const rounding = 0x4b400000 // 1.5 · 2²³: what is added to it is rounded to a whole number, in its lowest bits

// expTerms are the coefficients of p but for the first, by falling powers.
var expTerms = []float64{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1}

// reduced parts x into n · ln 2 + r, where exp(r) is 1 + r + r² · p (Cody and Waite, 1980; the polynomial is that of
// expf in Cephes).
func reduced(x VecVirtual) (n, r, p VecVirtual) {
	n, r, p = YMM(), YMM(), YMM()
	whole := YMM()
	VMOVUPS(number(math.Log2E), n)
	VFMADD213PS(eight(rounding), x, n)
	VSUBPS(eight(rounding), n, whole)
	VMOVUPS(x, r)
	VFNMADD231PS(number(0.693359375), whole, r)
	VFNMADD231PS(number(-2.12194440e-4), whole, r)
	VPSUBD(eight(rounding), n, n)
	VMOVUPS(number(1.9875691500e-4), p)
	for _, c := range expTerms {
		VFMADD213PS(number(c), r, p)
	}
	return n, r, p
}

// exp is scaled by two powers of two, so that the smallest results and the largest come out right. It changes x.
func exp(x VecVirtual) VecVirtual {
	limit := YMM()
	VMOVUPS(number(89), limit)
	VMINPS(x, limit, x)
	VMOVUPS(number(-104), limit)
	VMAXPS(x, limit, x)
	n, r, p := reduced(x)
	square, half := YMM(), YMM()
	VMULPS(r, r, square)
	VFMADD213PS(r, square, p)
	VADDPS(number(1), p, p)
	VPSRAD(Imm(1), n, half)
	VPSUBD(half, n, n)
	for _, e := range []VecVirtual{half, n} {
		VPADDD(eight(127), e, e)
		VPSLLD(Imm(23), e, e)
		VMULPS(e, p, p)
	}
	return p
}

// elu is x above 0, else exp(x) - 1 without the loss of what is small: 2ⁿ · (r + r² · p) + (2ⁿ - 1).
func elu(x, _ VecVirtual) VecVirtual {
	above, least := positive(x), YMM()
	y := YMM()
	VMOVUPS(number(-87), least)
	VMAXPS(x, least, y)
	n, r, p := reduced(y)
	square := YMM()
	VMULPS(r, r, square)
	VFMADD213PS(r, square, p)
	VPADDD(eight(127), n, n)
	VPSLLD(Imm(23), n, n)
	less := YMM()
	VSUBPS(number(1), n, less)
	VFMADD213PS(less, n, p)
	VBLENDVPS(above, x, p, p)
	return p
}

// tanh is a polynomial near 0, else ±(1 - 2 / (exp(2|x|) + 1)), as in Cephes.
func tanh(x, _ VecVirtual) VecVirtual {
	size, sign := YMM(), YMM()
	VANDPS(eight(1<<31), x, sign)
	VANDNPS(x, signs(), size)
	square, near := YMM(), YMM()
	VMULPS(x, x, square)
	VMOVUPS(number(-5.70498872745e-3), near)
	for _, c := range []float64{2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1} {
		VFMADD213PS(number(c), square, near)
	}
	VMULPS(x, square, square)
	VFMADD213PS(x, square, near)
	is := YMM()
	VMOVUPS(number(0.625), is)
	VCMPPS(Imm(0x1e), is, size, is) // above
	VADDPS(size, size, size)
	far := exp(size)
	VADDPS(number(1), far, far)
	two := YMM()
	VMOVUPS(number(2), two)
	VDIVPS(far, two, far)
	VMOVUPS(number(1), two)
	VSUBPS(far, two, far)
	VORPS(sign, far, far)
	VBLENDVPS(is, far, near, near)
	return near
}

func signs() VecVirtual {
	m := YMM()
	VMOVUPS(eight(1<<31), m)
	return m
}
