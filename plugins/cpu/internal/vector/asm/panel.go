//go:build ignore

package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// abreast is how many vectors a panel has side by side.
const abreast = 32

// panels are filled, and what has been compared by them is sifted.
func panels() {
	fillEight()
	sift()
}

// fillEight transposes blocks of 8 × 8 numbers, by pairs of numbers, then pairs of pairs, then halves.
func fillEight() {
	function("fillEightAVX2", "func(to, y *float32, yIndex *uint32, blocks, width int)")
	Doc("sets eight rows side by side in a panel, eight numbers of each at a time.")
	to, y, index, blocks, stride := load("to"), load("y"), load("yIndex"), load("blocks"), bytes("width")
	var from [8]GPVirtual
	for i := range from {
		e := GP64()
		MOVQ(U32(uint32(i)), e)
		from[i] = rowAt("row"+strconv.Itoa(i), y, index, e, stride)
	}
	Label("block")
	TESTQ(blocks, blocks)
	JZ(LabelRef("end"))
	var a, b [8]VecVirtual
	for i, p := range from {
		a[i], b[i] = YMM(), YMM()
		VMOVUPS(Mem{Base: p}, a[i])
		ADDQ(Imm(32), p)
	}
	for i := 0; i < 8; i += 2 {
		VUNPCKLPS(a[i+1], a[i], b[i])
		VUNPCKHPS(a[i+1], a[i], b[i+1])
	}
	for i := 0; i < 8; i += 4 {
		for half := range 2 {
			VSHUFPS(Imm(0x44), b[i+2+half], b[i+half], a[i+2*half])
			VSHUFPS(Imm(0xee), b[i+2+half], b[i+half], a[i+2*half+1])
		}
	}
	for i := range 4 {
		VPERM2F128(Imm(0x20), a[i+4], a[i], b[i])
		VPERM2F128(Imm(0x31), a[i+4], a[i], b[i+4])
	}
	for i, x := range b {
		VMOVUPS(x, Mem{Base: to, Disp: 4 * abreast * i})
	}
	ADDQ(U32(4*abreast*8), to)
	DECQ(blocks)
	JMP(LabelRef("block"))
	Label("end")
	VZEROUPPER()
	RET()
}

func sift() {
	function("siftAVX2", "func(found *uint32, x *float32, rows int, ofRow, ofColumn *float32)")
	Doc("finds the numbers in rows of 32 that reach what their row or what their column asks for.")
	found, x, rows, ofRow, ofColumn := load("found"), load("x"), load("rows"), load("ofRow"), load("ofColumn")
	var columns [abreast / 8]VecVirtual
	for i := range columns {
		columns[i] = YMM()
		VMOVUPS(Mem{Base: ofColumn, Disp: 32 * i}, columns[i])
	}
	Label("row")
	TESTQ(rows, rows)
	JZ(LabelRef("end"))
	least, bits := YMM(), GP32()
	VBROADCASTSS(Mem{Base: ofRow}, least)
	XORL(bits, bits)
	for i, column := range columns {
		both, eight := YMM(), GP32()
		VMINPS(column, least, both)
		VCMPPS(Imm(2), Mem{Base: x, Disp: 32 * i}, both, both) // less or equal
		VMOVMSKPS(both, eight)
		if i > 0 {
			SHLL(Imm(uint64(8*i)), eight)
		}
		ORL(eight, bits)
	}
	MOVL(bits, Mem{Base: found})
	ADDQ(Imm(4), found)
	ADDQ(Imm(4), ofRow)
	ADDQ(U32(4*abreast), x)
	DECQ(rows)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
