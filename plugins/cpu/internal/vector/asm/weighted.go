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
	function(fmt.Sprintf("weighted%dx%d%s", sums, vectors, level), "func(to, more *float32, own *uint32, x *float32, xIndex *uint32, "+
		"scale, other *float32, lanes *uint32, n, width, stride, scales, scaleStride int)")
	Doc(fmt.Sprintf("adds n rows to those that own says of %d sums, of %d vectors; lanes say which scale a column goes with.",
		sums, vectors))
}

// weightedAVX512 takes the numbers of a row's parts with one load, and puts them where their parts are.
func weightedAVX512(sums, vectors int) {
	weightedFunction("AVX512", sums, vectors)
	width, lanes := load("width"), load("lanes")
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
		}
	}
	scales, row, factor := first(load("scales"), 16), ZMM(), ZMM()
	move := func(to Register, out bool, s int) {
		for v := range vectors {
			if m := (Mem{Base: to, Disp: 64 * v}); out {
				VMOVUPS(acc[s][v], columns[v], m)
			} else {
				VMOVUPS_Z(m, columns[v], acc[s][v])
			}
		}
	}
	eachWeightedRow(sums, vectors, move, func(at Register, scale []GPVirtual) {
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
	VZEROUPPER()
	RET()
}

func weightedAVX2(sums, vectors int) {
	weightedFunction("AVX2", sums, vectors)
	lanes := load("lanes")
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
		}
	}
	row, factor := YMM(), YMM()
	move := func(to Register, out bool, s int) {
		for v := range vectors {
			if m := (Mem{Base: to, Disp: 32 * v}); out {
				put(acc[s][v], m, columns, v == vectors-1)
			} else {
				get(m, columns, v == vectors-1, acc[s][v])
			}
		}
	}
	eachWeightedRow(sums, (vectors+1)/2, move, func(at Register, scale []GPVirtual) {
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
	VZEROUPPER()
	RET()
}

// eachWeightedRow goes along the rows that the index names, and their scales. Sums move in and out where the row that
// they are of is another.
func eachWeightedRow(sums, lines int, move func(to Register, out bool, sum int), do func(at Register, scale []GPVirtual)) {
	x, index, n, stride, step := load("x"), load("xIndex"), load("n"), bytes("stride"), bytes("scaleStride")
	scale := []GPVirtual{load("scale"), load("other")}[:sums]
	targets := []GPVirtual{load("to"), load("more")}[:sums]
	own, e := load("own"), GP64()
	XORQ(e, e)
	eachOwn(own, e, n, stride, targets, move, func() {
		ahead(e, n, stride, lines, "x")
		do(rowAt("at", x, index, e, stride), scale)
		for _, s := range scale {
			ADDQ(step, s)
		}
	})
}

// eachOwn goes along n edges, of which own says the row that they are added to.
func eachOwn(own, e, n, stride Register, targets []GPVirtual, move func(to Register, out bool, sum int), do func()) {
	current := GP64()
	places := func(out bool) {
		for s, to := range targets {
			at := GP64()
			MOVQ(current, at)
			IMULQ(stride, at)
			ADDQ(to, at)
			move(at, out, s)
		}
	}
	MOVL(Mem{Base: own}, current.As32())
	places(false)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	CMPL(current.As32(), Mem{Base: own, Index: e, Scale: 4})
	JE(LabelRef("same"))
	places(true)
	MOVL(Mem{Base: own, Index: e, Scale: 4}, current.As32())
	places(false)
	Label("same")
	do()
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	places(true)
}

// sumRuns adds rows of up to eight numbers to the rows that they are of.
func sumRuns() {
	mask := func() Register {
		m := YMM()
		tail(load("width"), m)
		return m
	}
	sumRunsOf("sumRunsAVX2", "adds n rows, at least one, of up to eight numbers to those that own says.", mask,
		func(mask Register, m Mem, x VecVirtual) { VMASKMOVPS(m, mask, x) },
		func(mask Register, x VecVirtual, m Mem) { VMASKMOVPS(x, mask, m) },
		func(x, sum VecVirtual) { VADDPS(x, sum, sum) })
	none := func() Register { return nil }
	sumRunsOf("sumEightsAVX2", "is sumRuns of rows of eight numbers.", none,
		func(_ Register, m Mem, x VecVirtual) { VMOVUPS(m, x) },
		func(_ Register, x VecVirtual, m Mem) { VMOVUPS(x, m) },
		func(x, sum VecVirtual) { VADDPS(x, sum, sum) })
	sumRunsOf("sumOnesAVX2", "is sumRuns of rows of one number.", none,
		func(_ Register, m Mem, x VecVirtual) { VMOVSS(m, x.AsX()) },
		func(_ Register, x VecVirtual, m Mem) { VMOVSS(x.AsX(), m) },
		func(x, sum VecVirtual) { VADDSS(x.AsX(), sum.AsX(), sum.AsX()) })
}

func sumRunsOf(name, doc string, maskOf func() Register, get func(mask Register, m Mem, x VecVirtual),
	put func(mask Register, x VecVirtual, m Mem), add func(x, sum VecVirtual)) {
	function(name, "func(to *float32, own *uint32, x *float32, n, width int)")
	Doc(doc)
	to, own, x, n, stride := load("to"), load("own"), load("x"), load("n"), bytes("width")
	sum, row, e := YMM(), YMM(), GP64()
	mask := maskOf()
	XORQ(e, e)
	eachOwn(own, e, n, stride, []GPVirtual{to}, func(to Register, out bool, _ int) {
		if out {
			put(mask, sum, Mem{Base: to})
		} else {
			get(mask, Mem{Base: to}, sum)
		}
	}, func() {
		get(mask, Mem{Base: x}, row)
		add(row, sum)
		ADDQ(stride, x)
	})
	VZEROUPPER()
	RET()
}
