//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// comparisons are of a row with others: scalar products, and squares of distances.
func comparisons() {
	comparison("dotsAVX2", "computes scalar products of a row with n others.", func(a VecVirtual, y Mem, rest bool, mask, b, sum VecVirtual) {
		get(y, mask, rest, b)
		VFMADD231PS(a, b, sum)
	})
	comparison("squaresAVX2", "computes squares of the distances of a row from n others.",
		func(a VecVirtual, y Mem, rest bool, mask, b, sum VecVirtual) {
			get(y, mask, rest, b)
			VSUBPS(b, a, b)
			VFMADD231PS(b, b, sum)
		})
}

// comparison adds up 32 numbers at a time in four sums, so that they do not wait for each other, then eight in one.
func comparison(name, doc string, add func(a VecVirtual, y Mem, rest bool, mask, b, sum VecVirtual)) {
	function(name, "func(to, x, y *float32, yIndex *uint32, n, width int)")
	Doc(doc)
	to, x, y, index, n, width := load("to"), load("x"), load("y"), load("yIndex"), load("n"), load("width")
	mask, stride := restOf(width), bytes("width")
	e := GP64()
	XORQ(e, e)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	ahead(e, n, stride, 4, "y")
	py, px, left := rowAt("y", y, index, e, stride), GP64(), GP64()
	MOVQ(x, px)
	MOVQ(width, left)
	var sums [4]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VXORPS(sums[i], sums[i], sums[i])
	}
	a, b := YMM(), YMM()
	next := func(numbers int) {
		ADDQ(U32(4*numbers), px)
		ADDQ(U32(4*numbers), py)
		SUBQ(U32(numbers), left)
	}
	Label("fours")
	CMPQ(left, Imm(32))
	JLT(LabelRef("eights"))
	for i, sum := range sums {
		VMOVUPS(Mem{Base: px, Disp: 32 * i}, a)
		add(a, Mem{Base: py, Disp: 32 * i}, false, mask, b, sum)
	}
	next(32)
	JMP(LabelRef("fours"))
	Label("eights")
	CMPQ(left, Imm(8))
	JLT(LabelRef("rest"))
	VMOVUPS(Mem{Base: px}, a)
	add(a, Mem{Base: py}, false, mask, b, sums[0])
	next(8)
	JMP(LabelRef("eights"))
	Label("rest")
	TESTQ(left, left)
	JZ(LabelRef("sum"))
	get(Mem{Base: px}, mask, true, a)
	add(a, Mem{Base: py}, true, mask, b, sums[1])
	Label("sum")
	VADDPS(sums[1], sums[0], sums[0])
	VADDPS(sums[3], sums[2], sums[2])
	VADDPS(sums[2], sums[0], sums[0])
	high := XMM()
	VEXTRACTF128(Imm(1), sums[0], high)
	VADDPS(high, sums[0].AsX(), high)
	VHADDPS(high, high, high)
	VHADDPS(high, high, high)
	VMOVSS(high, Mem{Base: to, Index: e, Scale: 4})
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
