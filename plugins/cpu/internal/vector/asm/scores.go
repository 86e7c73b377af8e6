//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scores are those of attention: of rows of many heads, of eight heads, two edges at a time, and of one head, eight or
// sixteen edges at a time. There are more parameters than registers, so that they stay where they are passed.
func scores() {
	scoreRows()
	scoreEights()
	scoreSixteens()
	scoreNumbers()
}

const scoreParameters = "left *float32, leftIndex *uint32, right *float32, rightIndex *uint32, most *float32, mostIndex *uint32, " +
	"times *float32, timesIndex *uint32, exp, kept, keptSlope, expSlope, product *float32, n, drops int, slope float32"

func scoreRows() {
	function("scoreRowsAVX2", "func(width int, "+scoreParameters+")")
	Doc("computes the scores of n edges, of so many heads.")
	width := load("width")
	mask := restOf(width)
	stride, e, row := GP64(), GP64(), GP64()
	MOVQ(width, stride)
	SHLQ(Imm(2), stride)
	XORQ(e, e)
	XORQ(row, row)
	Label("row")
	CMPQ(e, load("n"))
	JGE(LabelRef("end"))
	ahead(e, load("n"), stride, 1, "left", "right", "most", "times")
	left, right := rowAt("left", load("left"), load("leftIndex"), e, stride), rowAt("right", load("right"), load("rightIndex"), e, stride)
	most, times := rowAt("most", load("most"), load("mostIndex"), e, stride), GP64()
	XORQ(times, times)
	product := load("product")
	TESTQ(product, product)
	JZ(LabelRef("noTimes"))
	MOVQ(rowAt("times", load("times"), load("timesIndex"), e, stride), times)
	Label("noTimes")
	chunks("column", width, mask, func(at Register, rest bool) {
		to := GP64()
		LEAQ(Mem{Base: row, Index: at, Scale: 1}, to)
		read := func(p Register, x VecVirtual) { get(Mem{Base: p, Index: at, Scale: 1}, mask, rest, x) }
		label := "Full"
		if rest {
			label = "Rest"
		}
		score(label, to, mask, rest, scoreInputs{
			func(x VecVirtual) { read(left, x) }, func(x VecVirtual) { read(right, x) }, func(x VecVirtual) { read(most, x) },
			func(x VecVirtual) { read(times, x) }})
	})
	ADDQ(stride, row)
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

const drawnParameters = "left *float32, leftIndex *uint32, right *float32, rightIndex *uint32, most *float32, mostIndex *uint32, " +
	"times *float32, timesIndex *uint32, exp, kept, keptSlope, expSlope, product *float32, n, asked int, slope float32, " +
	"keys, by *uint64, limit uint64, factor float32"

// scoreEights draws what is dropped of four edges at a time, and computes the scores of two.
func scoreEights() {
	function("scoreEightsAVX512", "func("+drawnParameters+")")
	Doc("computes the scores of n edges, of eight heads, and drops what is drawn from keys; asks for rows of the first so many.")
	m, e, left := newMixer(), GP64(), GP64()
	limit, slope, index, offsets := ZMM(), ZMM(), ZMM(), ZMM()
	l := load("limit")
	VPBROADCASTW(l.As32(), limit)
	broadcast("slope", slope)
	table := load("by")
	VMOVDQU64(Mem{Base: table}, index)
	VMOVDQU64(Mem{Base: table, Disp: 64}, offsets)
	XORQ(e, e)
	Label("four")
	MOVQ(load("n"), left)
	SUBQ(e, left)
	JLE(LabelRef("end"))
	askForEights(e)
	keys, keep, x := load("keys"), GP64(), ZMM()
	MOVQ(I32(-1), keep)
	TESTQ(keys, keys)
	JZ(LabelRef("drawn"))
	there, drawn := first(left, 4), K()
	VMOVDQU64_Z(Mem{Base: keys, Index: e, Scale: 8}, there, x)
	VPERMQ(x, index, x)
	VPADDQ(offsets, x, x)
	m.mix(x)
	VPCMPUW(Imm(5), limit, x, drawn) // not less
	KMOVD(drawn, keep.As32())
	Label("drawn")
	for _, label := range []string{"One", "Other"} {
		scorePair(label, e, left, keep, slope)
		SHRL(Imm(16), keep.As32())
		ADDQ(Imm(2), e)
		SUBQ(Imm(2), left)
		if label == "One" {
			JLE(LabelRef("end"))
		}
	}
	JMP(LabelRef("four"))
	Label("end")
	VZEROUPPER()
	RET()
}

// askForEights asks for four rows of each operand that indices name, some edges ahead.
func askForEights(e Register) {
	const rows = 12
	later, at := GP64(), GP64()
	LEAQ(Mem{Base: e, Disp: rows + 4}, later)
	CMPQ(later, load("asked"))
	JG(LabelRef("asked"))
	for _, name := range []string{"left", "right", "most", "times"} {
		index, p := load(name+"Index"), load(name)
		TESTQ(index, index)
		JZ(LabelRef(name + "Follows"))
		for i := range 4 {
			MOVL(Mem{Base: index, Index: e, Scale: 4, Disp: 4 * (rows + i)}, at.As32())
			SHLQ(Imm(5), at)
			PREFETCHT0(Mem{Base: p, Index: at, Scale: 1})
		}
		Label(name + "Follows")
	}
	Label("asked")
}

// scorePair computes the scores of edge e and, if it is not the last that is left, of the next.
func scorePair(label string, e, left, keep Register, slope VecVirtual) {
	next, count, to := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: e, Disp: 1}, next)
	CMPQ(left, Imm(1))
	CMOVQEQ(e, next)
	MOVQ(left, count)
	SHLQ(Imm(3), count)
	there, kept := first(count, 16), K()
	KMOVW(keep.(GPVirtual).As32(), kept)
	MOVQ(e, to)
	SHLQ(Imm(5), to)
	read := func(name string) VecVirtual {
		p, index, at, other, x := load(name), load(name+"Index"), GP64(), GP64(), ZMM()
		MOVQ(e, at)
		MOVQ(next, other)
		TESTQ(index, index)
		JZ(LabelRef(name + label))
		MOVL(Mem{Base: index, Index: e, Scale: 4}, at.As32())
		MOVL(Mem{Base: index, Index: next, Scale: 4}, other.As32())
		Label(name + label)
		SHLQ(Imm(5), at)
		SHLQ(Imm(5), other)
		VMOVUPS(Mem{Base: p, Index: at, Scale: 1}, x.AsY())
		VINSERTF32X8(Imm(1), Mem{Base: p, Index: other, Scale: 1}, x, x)
		return x
	}
	scoreWide(label, there, kept, to, slope, read)
}

// scoreSixteens computes the scores of sixteen edges at a time, and draws what is dropped of them.
func scoreSixteens() {
	function("scoreSixteensAVX512", "func("+drawnParameters+")")
	Doc("computes the scores of n edges, of one head, and drops what is drawn from keys.")
	m, e, left, to := newMixer(), GP64(), GP64(), GP64()
	low, limit, slope := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(bits64(0xffff), low)
	VPBROADCASTQ(load("limit"), limit)
	broadcast("slope", slope)
	XORQ(e, e)
	Label("sixteen")
	MOVQ(load("n"), left)
	SUBQ(e, left)
	JLE(LabelRef("end"))
	there, kept, keys := first(left, 16), K(), load("keys")
	KMOVW(there, kept)
	TESTQ(keys, keys)
	JZ(LabelRef("drawn"))
	var drawn [2]OpmaskVirtual // of eight each
	for i := range drawn {
		half, x := K(), ZMM()
		KSHIFTRW(Imm(uint64(8*i)), there, half)
		VMOVDQU64_Z(Mem{Base: keys, Index: e, Scale: 8, Disp: 64 * i}, half, x)
		m.mix(x)
		VPANDQ(low, x, x)
		drawn[i] = K()
		VPCMPUQ(Imm(5), limit, x, drawn[i]) // not less
	}
	KUNPCKBW(drawn[0], drawn[1], kept)
	Label("drawn")
	MOVQ(e, to)
	SHLQ(Imm(2), to)
	scoreWide("", there, kept, to, slope, func(name string) VecVirtual {
		p, index, places, some, x := load(name), load(name+"Index"), ZMM(), K(), ZMM()
		TESTQ(index, index)
		JZ(LabelRef(name + "Follows"))
		VMOVDQU32_Z(Mem{Base: index, Index: e, Scale: 4}, there, places)
		KMOVW(there, some)
		VPXORD(x, x, x)
		VGATHERDPS(Mem{Base: p, Index: places, Scale: 4}, some, x)
		JMP(LabelRef(name + "There"))
		Label(name + "Follows")
		VMOVUPS_Z(Mem{Base: p, Index: e, Scale: 4}, there, x)
		Label(name + "There")
		return x
	})
	ADDQ(Imm(16), e)
	JMP(LabelRef("sixteen"))
	Label("end")
	VZEROUPPER()
	RET()
}

// scoreWide computes sixteen numbers of what read loads, and writes those that are there so many bytes behind where
// what is asked for begins.
func scoreWide(label string, there, kept OpmaskVirtual, to Register, slope VecVirtual, read func(name string) VecVirtual) {
	w := wide{}
	write := func(name string, make func() VecVirtual) {
		p := load(name)
		TESTQ(p, p)
		JZ(LabelRef(name + label + "None"))
		VMOVUPS(make(), there, Mem{Base: p, Index: to, Scale: 1})
		Label(name + label + "None")
	}
	z, own := read("left"), ZMM()
	VADDPS(read("right"), z, z)
	above := w.positive(z)
	VMULPS(slope, z, own)
	VMOVAPS(z, above, own)
	VSUBPS(read("most"), own, own)
	exp, slopes := w.exp(own), ZMM()
	VMOVAPS(slope, slopes)
	VMOVAPS(w.all(number(1)), above, slopes)
	write("exp", func() VecVirtual { return exp })
	x := ZMM()
	VMULPS(slopes, exp, x)
	write("expSlope", func() VecVirtual { return x })
	write("product", func() VecVirtual {
		times := read("times")
		VMULPS(times, x, x)
		return x
	})
	factor := ZMM()
	broadcast("factor", factor)
	VMULPS_Z(factor, exp, kept, exp)
	write("kept", func() VecVirtual { return exp })
	write("keptSlope", func() VecVirtual {
		VMULPS(slopes, exp, exp)
		return exp
	})
}

func scoreNumbers() {
	function("scoreNumbersAVX2", "func("+scoreParameters+")")
	Doc("computes the scores of n edges, of one head.")
	e, to, at := GP64(), GP64(), GP64()
	mask := YMM()
	XORQ(e, e)
	some := func(label string, rest bool) {
		MOVQ(e, to)
		SHLQ(Imm(2), to)
		read := func(name string) func(x VecVirtual) {
			return func(x VecVirtual) { numbersOf(name+label, load(name), load(name+"Index"), e, mask, rest, x) }
		}
		score(label, to, mask, rest, scoreInputs{read("left"), read("right"), read("most"), read("times")})
		ADDQ(Imm(8), e)
	}
	Label("loop")
	LEAQ(Mem{Base: e, Disp: 8}, at)
	CMPQ(at, load("n"))
	JG(LabelRef("last"))
	some("Full", false)
	JMP(LabelRef("loop"))
	Label("last")
	left := load("n")
	SUBQ(e, left)
	JZ(LabelRef("end"))
	tail(left, mask)
	some("Rest", true)
	Label("end")
	VZEROUPPER()
	RET()
}

// numbersOf loads the numbers that eight of an index name, or those that follow each other; of a rest, those that the
// mask says.
func numbersOf(label string, p, index, e Register, mask VecVirtual, rest bool, to VecVirtual) {
	if !rest {
		eightNumbers(label, p, index, e, to)
		return
	}
	places, some := YMM(), YMM()
	TESTQ(index, index)
	JZ(LabelRef(label))
	VPMASKMOVD(Mem{Base: index, Index: e, Scale: 4}, mask, places)
	VMOVDQU(mask, some)
	VXORPS(to, to, to)
	VGATHERDPS(some, Mem{Base: p, Index: places, Scale: 4}, to)
	JMP(LabelRef(label + "There"))
	Label(label)
	VMASKMOVPS(Mem{Base: p, Index: e, Scale: 4}, mask, to)
	Label(label + "There")
}

// scoreInputs load what scores are made of.
type scoreInputs struct{ left, right, most, times func(to VecVirtual) }

// score computes up to eight numbers, and writes what is asked for so many bytes behind where it begins.
func score(label string, to Register, mask VecVirtual, rest bool, in scoreInputs) {
	z, more, slope := YMM(), YMM(), YMM()
	in.left(z)
	in.right(more)
	VADDPS(more, z, z)
	broadcast("slope", slope)
	above, low := positive(z), YMM()
	VMULPS(slope, z, low)
	VBLENDVPS(above, z, low, z)
	in.most(more)
	VSUBPS(more, z, z)
	e, one := exp(z), YMM()
	VMOVUPS(number(1), one)
	VBLENDVPS(above, one, slope, slope)
	write := func(name string, make func(out Mem)) {
		p := load(name)
		TESTQ(p, p)
		JZ(LabelRef(name + label + "None"))
		make(Mem{Base: p, Index: to, Scale: 1})
		Label(name + label + "None")
	}
	write("exp", func(out Mem) { put(e, out, mask, rest) })
	write("expSlope", func(out Mem) {
		x := YMM()
		VMULPS(slope, e, x)
		put(x, out, mask, rest)
	})
	write("product", func(out Mem) {
		x, times := YMM(), YMM()
		VMULPS(slope, e, x)
		in.times(times)
		VMULPS(times, x, x)
		put(x, out, mask, rest)
	})
	drops := load("drops")
	TESTQ(drops, drops)
	JZ(LabelRef("kept" + label))
	factor := YMM()
	get(Mem{Base: load("kept"), Index: to, Scale: 1}, mask, rest, factor)
	VMULPS(factor, e, e)
	Label("kept" + label)
	write("kept", func(out Mem) { put(e, out, mask, rest) })
	write("keptSlope", func(out Mem) {
		VMULPS(slope, e, e)
		put(e, out, mask, rest)
	})
}
