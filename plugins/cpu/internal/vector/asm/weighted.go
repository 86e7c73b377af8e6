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
			weightedAVX2(sums, vectors, false)
			weightedAVX2(sums, vectors, true)
		}
		weightedWhole(sums)
	}
}

// weightedWhole is for rows of four vectors of AVX2 of which no vector has columns of two parts: numbers are loaded into
// all places of a vector, and no load or store needs a mask.
func weightedWhole(sums int) {
	const vectors = 4
	function(fmt.Sprintf("weightedWhole%dAVX2", sums), "func(to, toOther *float32, own *uint32, x *float32, xIndex *uint32, "+
		"scale, scaleOther *float32, each, n, stride, scaleStride int)")
	Doc(fmt.Sprintf("adds n rows to those that own says of %d sums, of 32 columns; eight go with a scale,", sums),
		"and the next eight with that which is each numbers further on.")
	x, index, n, stride, step := load("x"), load("xIndex"), load("n"), bytes("stride"), bytes("scaleStride")
	own, each, three, e, at := load("own"), load("each"), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: each, Index: each, Scale: 2}, three)
	which := []string{"", "Other"}[:sums]
	acc := make([][]VecVirtual, sums)
	for s := range sums {
		for range vectors {
			acc[s] = append(acc[s], YMM())
		}
	}
	row, factor := YMM(), YMM()
	XORQ(e, e)
	XORQ(at, at)
	eachOwn(own, e, n, func(current Register, out bool) {
		for s, other := range which {
			to := ofRow(current, stride, load("to"+other))
			for v := range vectors {
				m := Mem{Base: to, Disp: 32 * v}
				if out {
					VMOVUPS(acc[s][v], m)
				} else {
					VMOVUPS(m, acc[s][v])
				}
			}
		}
	}, func() {
		ahead(e, n, stride, vectors/2, "x")
		of := rowAt("at", x, index, e, stride)
		for s, other := range which {
			scale := load("scale" + other)
			ADDQ(at, scale)
			factors := []Mem{{Base: scale}, {Base: scale, Index: each, Scale: 4}, {Base: scale, Index: each, Scale: 8},
				{Base: scale, Index: three, Scale: 4}}
			for v := range vectors {
				VMOVUPS(Mem{Base: of, Disp: 32 * v}, row)
				VBROADCASTSS(factors[v], factor)
				VFMADD231PS(row, factor, acc[s][v])
			}
		}
		ADDQ(step, at)
	})
	VZEROUPPER()
	RET()
}

func weightedFunction(level string, sums, vectors int) {
	function(fmt.Sprintf("weighted%dx%d%s", sums, vectors, level), "func(to, toOther *float32, own *uint32, x *float32, xIndex *uint32, "+
		"scale, scaleOther, plain, plainOther, add, addOther *float32, lanes *uint32, n, width, stride, scales, scaleStride int)")
	Doc(fmt.Sprintf("adds n rows to those that own says of %d sums, of %d vectors; lanes say which scale a column goes with.",
		sums, vectors), "Beside them rows to add, as wide as those of scales, go to plain sums where these are there.")
}

// weightedSums are what a level of instructions does of sums: of sum s, rows and plain ones.
type weightedSums struct {
	move      func(to Register, out bool, s int)
	movePlain func(to Register, out bool, s int)
	row       func(at Register, scale []Mem)
	addPlain  func(from Mem, s int)
}

// weightedAVX512 takes the numbers of a row's parts with one load, and puts them where their parts are.
func weightedAVX512(sums, vectors int) {
	weightedFunction("AVX512", sums, vectors)
	width, lanes := load("width"), load("lanes")
	var columns []OpmaskVirtual
	var lane, plain []VecVirtual
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
	for range sums {
		plain = append(plain, ZMM())
	}
	scales, row, factor := first(load("scales"), 16), ZMM(), ZMM()
	move := func(x VecVirtual, m Mem, mask Register, out bool) {
		if out {
			VMOVUPS(x, mask, m)
		} else {
			VMOVUPS_Z(m, mask, x)
		}
	}
	eachWeightedRow(sums, vectors, weightedSums{
		move: func(to Register, out bool, s int) {
			for v := range vectors {
				move(acc[s][v], Mem{Base: to, Disp: 64 * v}, columns[v], out)
			}
		},
		movePlain: func(to Register, out bool, s int) { move(plain[s], Mem{Base: to}, scales, out) },
		row: func(at Register, scale []Mem) {
			all := make([]VecVirtual, sums)
			for s := range sums {
				all[s] = ZMM()
				VMOVUPS_Z(scale[s], scales, all[s])
			}
			for v := range vectors {
				VMOVUPS_Z(Mem{Base: at, Disp: 64 * v}, columns[v], row)
				for s := range sums {
					VPERMPS(all[s], lane[v], factor)
					VFMADD231PS(row, factor, acc[s][v])
				}
			}
		},
		addPlain: func(from Mem, s int) { VADDPS(from, plain[s], scales, plain[s]) }})
	VZEROUPPER()
	RET()
}

// weightedAVX2 puts the numbers of a row's parts where their parts are; where all columns go with one number, it needs
// no order of lanes, and plain rows are of one number.
func weightedAVX2(sums, vectors int, one bool) {
	level := "AVX2"
	if one {
		level = "OneAVX2"
	}
	weightedFunction(level, sums, vectors)
	columns, scales, rest := YMM(), YMM(), GP64()
	MOVQ(load("width"), rest)
	SUBQ(Imm(uint64(8*(vectors-1))), rest)
	tail(rest, columns) // of the last vector
	var lane, plain []VecVirtual
	if !one {
		tail(load("scales"), scales)
		lanes := load("lanes")
		for v := range vectors {
			lane = append(lane, YMM())
			VMOVUPS(Mem{Base: lanes, Disp: 32 * v}, lane[v])
		}
	}
	acc := make([][]VecVirtual, sums)
	for range vectors {
		for s := range sums {
			acc[s] = append(acc[s], YMM())
		}
	}
	for range sums {
		plain = append(plain, YMM())
	}
	row, factor := YMM(), YMM()
	move := func(x VecVirtual, m Mem, mask Register, rest, out bool) {
		if out {
			put(x, m, mask, rest)
		} else {
			get(m, mask, rest, x)
		}
	}
	eachWeightedRow(sums, (vectors+1)/2, weightedSums{
		move: func(to Register, out bool, s int) {
			for v := range vectors {
				move(acc[s][v], Mem{Base: to, Disp: 32 * v}, columns, v == vectors-1, out)
			}
		},
		movePlain: func(to Register, out bool, s int) {
			switch m := (Mem{Base: to}); {
			case !one:
				move(plain[s], m, scales, true, out)
			case out:
				VMOVSS(plain[s].AsX(), m)
			default:
				VMOVSS(m, plain[s].AsX())
			}
		},
		row: func(at Register, scale []Mem) {
			all := make([]VecVirtual, sums)
			for s := range sums {
				if all[s] = YMM(); one {
					VBROADCASTSS(scale[s], all[s])
				} else {
					VMASKMOVPS(scale[s], scales, all[s])
				}
			}
			for v := range vectors {
				get(Mem{Base: at, Disp: 32 * v}, columns, v == vectors-1, row)
				for s := range sums {
					if one {
						VFMADD231PS(row, all[s], acc[s][v])
					} else {
						VPERMPS(all[s], lane[v], factor)
						VFMADD231PS(row, factor, acc[s][v])
					}
				}
			}
		},
		addPlain: func(from Mem, s int) {
			if one {
				VADDSS(from, plain[s].AsX(), plain[s].AsX())
			} else {
				VMASKMOVPS(from, scales, row)
				VADDPS(row, plain[s], plain[s])
			}
		}})
	VZEROUPPER()
	RET()
}

// eachWeightedRow goes along the rows that the index names, their scales, and rows of plain sums. Sums move in and out
// where the row that they are of is another.
func eachWeightedRow(sums, lines int, of weightedSums) {
	x, index, n, stride, step := load("x"), load("xIndex"), load("n"), bytes("stride"), bytes("scaleStride")
	own, e, at, labels := load("own"), GP64(), GP64(), 0
	which := []string{"", "Other"}[:sums]
	eachPlain := func(do func(plain Register, s int)) {
		for s, other := range which {
			labels++
			label, plain := fmt.Sprint("noPlain", labels), load("plain"+other)
			TESTQ(plain, plain)
			JZ(LabelRef(label))
			do(plain, s)
			Label(label)
		}
	}
	XORQ(e, e)
	XORQ(at, at) // scales and plain rows, in bytes
	eachOwn(own, e, n, func(current Register, out bool) {
		for s, other := range which {
			of.move(ofRow(current, stride, load("to"+other)), out, s)
		}
		eachPlain(func(plain Register, s int) { of.movePlain(ofRow(current, step, plain), out, s) })
	}, func() {
		ahead(e, n, stride, lines, "x")
		var scale []Mem
		for _, other := range which {
			scale = append(scale, Mem{Base: load("scale" + other), Index: at, Scale: 1})
		}
		of.row(rowAt("at", x, index, e, stride), scale)
		eachPlain(func(_ Register, s int) { of.addPlain(Mem{Base: load("add" + which[s]), Index: at, Scale: 1}, s) })
		ADDQ(step, at)
	})
}

// ofRow is where a row begins.
func ofRow(row, stride, p Register) GPVirtual {
	at := GP64()
	MOVQ(row, at)
	IMULQ(stride, at)
	ADDQ(p, at)
	return at
}

// eachOwn goes along n edges, of which own says the row that they are added to. Sums of a row move in before the first
// of its edges, and out behind the last.
func eachOwn(own, e, n Register, move func(row Register, out bool), do func()) {
	current := GP64()
	MOVL(Mem{Base: own}, current.As32())
	move(current, false)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	CMPL(current.As32(), Mem{Base: own, Index: e, Scale: 4})
	JE(LabelRef("same"))
	move(current, true)
	MOVL(Mem{Base: own, Index: e, Scale: 4}, current.As32())
	move(current, false)
	Label("same")
	do()
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	move(current, true)
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
	eachOwn(own, e, n, func(current Register, out bool) {
		if at := (Mem{Base: ofRow(current, stride, to)}); out {
			put(mask, sum, at)
		} else {
			get(mask, at, sum)
		}
	}, func() {
		get(mask, Mem{Base: x}, row)
		add(row, sum)
		ADDQ(stride, x)
	})
	VZEROUPPER()
	RET()
}
