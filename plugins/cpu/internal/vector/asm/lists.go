//go:build ignore

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lists go along lists of edges, one after the other: offsets say where those of a row begin, and those of the next.
func lists() {
	ownRuns()
	maxLists()
	for vectors := 1; vectors <= 4; vectors++ {
		sumLists(vectors)
	}
}

// sumLists adds up the rows that each list names. Those of lists that follow are asked for: most lists are short.
func sumLists(vectors int) {
	function(fmt.Sprintf("sumLists%dAVX2", vectors), "func(to, x *float32, others *uint32, offsets *int64, n, columns, width int)")
	Doc(fmt.Sprintf("adds to each of n rows the first columns, up to %d vectors, of those that a list names.", vectors))
	to, x, others, offsets, n, stride := load("to"), load("x"), load("others"), load("offsets"), load("n"), bytes("width")
	mask, rest, last, e, end, at := YMM(), load("columns"), GP64(), GP64(), GP64(), GP64()
	SUBQ(Imm(uint64(8*(vectors-1))), rest)
	tail(rest, mask)
	var sums []VecVirtual
	for range vectors {
		sums = append(sums, YMM())
	}
	MOVQ(Mem{Base: offsets, Index: n, Scale: 8}, last)
	MOVQ(Mem{Base: offsets}, e)
	Label("row")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	MOVQ(Mem{Base: offsets, Disp: 8}, end)
	CMPQ(e, end)
	JGE(LabelRef("next"))
	for v, sum := range sums {
		get(Mem{Base: to, Disp: 32 * v}, mask, v == vectors-1, sum)
	}
	Label("edge")
	askFor(x, others, e, last, stride, (vectors+1)/2)
	MOVL(Mem{Base: others, Index: e, Scale: 4}, at.As32())
	IMULQ(stride, at)
	for v, sum := range sums {
		m := Mem{Base: x, Index: at, Scale: 1, Disp: 32 * v}
		if v == vectors-1 {
			row := YMM()
			get(m, mask, true, row)
			VADDPS(row, sum, sum)
		} else {
			VADDPS(m, sum, sum)
		}
	}
	INCQ(e)
	CMPQ(e, end)
	JL(LabelRef("edge"))
	for v, sum := range sums[:vectors-1] {
		put(sum, Mem{Base: to, Disp: 32 * v}, mask, false)
	}
	whole := Mem{Base: to, Disp: 32 * (vectors - 1)}
	CMPQ(rest, Imm(8))
	JL(LabelRef("part"))
	put(sums[vectors-1], whole, mask, false)
	JMP(LabelRef("next"))
	Label("part")
	put(sums[vectors-1], whole, mask, true)
	Label("next")
	ADDQ(stride, to)
	ADDQ(Imm(8), offsets)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// ownRuns writes sixteen edges at a time.
func ownRuns() {
	function("ownRunsAVX512", "func(own, from *uint32, offsets *int64, first, count, row, vertex int) int")
	Doc("says of each of count edges, from the first on, its row and its vertex, and tells the row behind the last.")
	own, from, offsets, first64 := load("own"), load("from"), load("offsets"), load("first")
	count, row, vertex := load("count"), load("row"), load("vertex")
	e, end, left := GP64(), GP64(), GP64()
	rows, vertices := ZMM(), ZMM()
	XORQ(e, e)
	Label("row")
	CMPQ(e, count)
	JGE(LabelRef("end"))
	MOVQ(Mem{Base: offsets, Disp: 8}, end)
	SUBQ(first64, end)
	CMPQ(end, count)
	CMOVQGT(count, end)
	VPBROADCASTD(row.As32(), rows)
	VPBROADCASTD(vertex.As32(), vertices)
	CMPQ(e, end)
	JGE(LabelRef("next"))
	Label("edges")
	MOVQ(end, left)
	SUBQ(e, left)
	k := first(left, 16)
	VMOVDQU32(rows, k, Mem{Base: own, Index: e, Scale: 4})
	VMOVDQU32(vertices, k, Mem{Base: from, Index: e, Scale: 4})
	ADDQ(Imm(16), e)
	CMPQ(e, end)
	JL(LabelRef("edges"))
	MOVQ(end, e)
	Label("next")
	ADDQ(Imm(8), offsets)
	INCQ(row)
	INCQ(vertex)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	Store(row, ReturnIndex(0))
	RET()
}

// maxLists finds the largest of the rows that each list names, number by number.
func maxLists() {
	function("maxListsAVX512", "func(to, x *float32, others *uint32, offsets *int64, n, width int)")
	Doc("makes each of n rows of up to eight numbers the largest of those that a list names; one without any stays.")
	to, x, others, offsets, n := load("to"), load("x"), load("others"), load("offsets"), load("n")
	columns, stride := first(load("width"), 8), bytes("width")
	e, end, at, most := GP64(), GP64(), GP64(), YMM()
	next := func() {
		MOVL(Mem{Base: others, Index: e, Scale: 4}, at.As32())
		IMULQ(stride, at)
	}
	MOVQ(Mem{Base: offsets}, e)
	Label("row")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	MOVQ(Mem{Base: offsets, Disp: 8}, end)
	CMPQ(e, end)
	JGE(LabelRef("none"))
	next()
	VMOVUPS_Z(Mem{Base: x, Index: at, Scale: 1}, columns, most)
	Label("edge")
	INCQ(e)
	CMPQ(e, end)
	JGE(LabelRef("found"))
	next()
	row := YMM()
	VMOVUPS_Z(Mem{Base: x, Index: at, Scale: 1}, columns, row)
	VMAXPS(row, most, most)
	JMP(LabelRef("edge"))
	Label("found")
	VMOVUPS(most, columns, Mem{Base: to})
	Label("none")
	ADDQ(stride, to)
	ADDQ(Imm(8), offsets)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
