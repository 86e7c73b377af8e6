//go:build ignore

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// addShares adds rows of double precision, times a number each, to sums that stay in registers: 32 columns of them, or
// four.
func addShares() {
	for _, vectors := range []int{1, 8} {
		addSharesOf(vectors)
	}
}

func addSharesOf(vectors int) {
	function(fmt.Sprintf("addShares%dAVX2", vectors),
		"func(sums, x *float64, rows *uint32, n, width int, share float64, weights *float64, step int)")
	Doc(fmt.Sprintf("adds %d numbers of each of the rows of x that n indices name, times share and a weight; weights are step bytes apart.",
		4*vectors))
	to, x, rows, n, stride := load("sums"), load("x"), load("rows"), load("n"), load("width")
	weights, step := load("weights"), load("step")
	SHLQ(Imm(3), stride)
	share, scale, e, at := YMM(), YMM(), GP64(), GP64()
	VBROADCASTSD(parameter("share"), share)
	var sums []VecVirtual
	for v := range vectors {
		sum := YMM()
		VMOVUPD(Mem{Base: to, Disp: 32 * v}, sum)
		sums = append(sums, sum)
	}
	XORQ(e, e)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	askFor(x, rows, e, n, stride, (vectors+1)/2)
	MOVL(Mem{Base: rows, Index: e, Scale: 4}, at.As32())
	IMULQ(stride, at)
	VBROADCASTSD(Mem{Base: weights}, scale)
	VMULPD(share, scale, scale)
	for v, sum := range sums {
		term := YMM()
		VMULPD(Mem{Base: x, Index: at, Scale: 1, Disp: 32 * v}, scale, term)
		VADDPD(term, sum, sum)
	}
	ADDQ(step, weights)
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	for v, sum := range sums {
		VMOVUPD(sum, Mem{Base: to, Disp: 32 * v})
	}
	VZEROUPPER()
	RET()
}
