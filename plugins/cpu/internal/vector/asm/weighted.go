//go:build ignore

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// weighted are sums of rows whose parts go with a number each, one or two at a time, for rows of one to four vectors, or
// two of AVX2. The sums stay in registers while the rows pass.
func weighted() {
	for sums := 1; sums <= 2; sums++ {
		for vectors := 1; vectors <= 4; vectors++ {
			weightedAVX512(sums, vectors)
		}
		for vectors := 1; vectors <= 2; vectors++ {
			weightedAVX2(sums, vectors)
		}
	}
}

func weightedFunction(level string, sums, vectors int) {
	function(fmt.Sprintf("weighted%dx%d%s", sums, vectors, level), "func(to, more, x *float32, index *uint32, "+
		"scale, other *float32, lanes *uint32, n, width, stride, scales, scaleStride int)")
	Doc(fmt.Sprintf("adds n rows to %d sums, of %d vectors at most; lanes say which scale a column goes with.", sums, vectors))
}

// weightedAVX512 takes the numbers of a row's parts with one load, and puts them where their parts are.
func weightedAVX512(sums, vectors int) {
	weightedFunction("AVX512", sums, vectors)
	width, lanes, targets := load("width"), load("lanes"), sumsAt(sums)
	var columns []OpmaskVirtual
	var lane []VecVirtual
	acc := make([][]VecVirtual, sums)
	for v := range vectors {
		left := GP64()
		LEAQ(Mem{Base: width, Disp: -16 * v}, left)
		columns = append(columns, first(left, 16))
		lane = append(lane, ZMM())
		VMOVDQU32(Mem{Base: lanes, Disp: 64 * v}, lane[v])
		for s := range sums {
			acc[s] = append(acc[s], ZMM())
			VMOVUPS_Z(Mem{Base: targets[s], Disp: 64 * v}, columns[v], acc[s][v])
		}
	}
	scales, row, factor := first(load("scales"), 16), ZMM(), ZMM()
	eachWeightedRow(sums, func(at Register, scale []GPVirtual) {
		all := make([]VecVirtual, sums)
		for s := range sums {
			all[s] = ZMM()
			VMOVUPS_Z(Mem{Base: scale[s]}, scales, all[s])
		}
		for v := range vectors {
			VMOVUPS_Z(Mem{Base: at, Disp: 64 * v}, columns[v], row)
			for s := range sums {
				VPERMPS(all[s], lane[v], factor)
				VFMADD231PS(row, factor, acc[s][v])
			}
		}
	})
	targets = sumsAt(sums)
	for s := range sums {
		for v := range vectors {
			VMOVUPS(acc[s][v], columns[v], Mem{Base: targets[s], Disp: 64 * v})
		}
	}
	VZEROUPPER()
	RET()
}

func weightedAVX2(sums, vectors int) {
	weightedFunction("AVX2", sums, vectors)
	lanes, targets := load("lanes"), sumsAt(sums)
	columns, scales, rest := YMM(), YMM(), GP64()
	MOVQ(load("width"), rest)
	SUBQ(Imm(uint64(8*(vectors-1))), rest)
	tail(rest, columns) // of the last vector
	tail(load("scales"), scales)
	var lane []VecVirtual
	acc := make([][]VecVirtual, sums)
	for v := range vectors {
		lane = append(lane, YMM())
		VMOVUPS(Mem{Base: lanes, Disp: 32 * v}, lane[v])
		for s := range sums {
			acc[s] = append(acc[s], YMM())
			get(Mem{Base: targets[s], Disp: 32 * v}, columns, v == vectors-1, acc[s][v])
		}
	}
	row, factor := YMM(), YMM()
	eachWeightedRow(sums, func(at Register, scale []GPVirtual) {
		all := make([]VecVirtual, sums)
		for s := range sums {
			all[s] = YMM()
			VMASKMOVPS(Mem{Base: scale[s]}, scales, all[s])
		}
		for v := range vectors {
			get(Mem{Base: at, Disp: 32 * v}, columns, v == vectors-1, row)
			for s := range sums {
				VPERMPS(all[s], lane[v], factor)
				VFMADD231PS(row, factor, acc[s][v])
			}
		}
	})
	targets = sumsAt(sums)
	for s := range sums {
		for v := range vectors {
			put(acc[s][v], Mem{Base: targets[s], Disp: 32 * v}, columns, v == vectors-1)
		}
	}
	VZEROUPPER()
	RET()
}

func sumsAt(sums int) []GPVirtual {
	return []GPVirtual{load("to"), load("more")}[:sums]
}

// eachWeightedRow goes along the rows that the index names, and their scales.
func eachWeightedRow(sums int, do func(at Register, scale []GPVirtual)) {
	x, index, n, stride, step := load("x"), load("index"), load("n"), bytes("stride"), bytes("scaleStride")
	scale := []GPVirtual{load("scale"), load("other")}[:sums]
	e := GP64()
	XORQ(e, e)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	do(rowAt("at", x, index, e, stride), scale)
	for _, s := range scale {
		ADDQ(step, s)
	}
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
}
