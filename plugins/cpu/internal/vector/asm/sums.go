//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// addTo adds rows of single precision to sums of double precision, one after the other.
func addTo() {
	function("addToAVX2", "func(sums *float64, x *float32, own *int64, n, fours, rest, width int)")
	Doc("adds 4 · fours + rest numbers of n rows to those of the sums that own names.")
	sums, x, own, n := load("sums"), load("x"), load("own"), load("n")
	fours, rest, width := load("fours"), load("rest"), bytes("width")
	Label("row")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	to, from, left := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: own}, to)
	IMULQ(width, to)
	LEAQ(Mem{Base: sums, Index: to, Scale: 2}, to)
	MOVQ(x, from)
	MOVQ(fours, left)
	Label("four")
	TESTQ(left, left)
	JZ(LabelRef("ones"))
	four := YMM()
	VCVTPS2PD(Mem{Base: from}, four)
	VADDPD(Mem{Base: to}, four, four)
	VMOVUPD(four, Mem{Base: to})
	ADDQ(Imm(16), from)
	ADDQ(Imm(32), to)
	DECQ(left)
	JMP(LabelRef("four"))
	Label("ones")
	MOVQ(rest, left)
	Label("one")
	TESTQ(left, left)
	JZ(LabelRef("next"))
	one := XMM()
	VXORPS(one, one, one)
	VCVTSS2SD(Mem{Base: from}, one, one)
	VADDSD(Mem{Base: to}, one, one)
	VMOVSD(one, Mem{Base: to})
	ADDQ(Imm(4), from)
	ADDQ(Imm(8), to)
	DECQ(left)
	JMP(LabelRef("one"))
	Label("next")
	ADDQ(width, x)
	ADDQ(Imm(8), own)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
