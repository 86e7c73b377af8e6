//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// masks multiply rows with what is drawn of keys.
func masks() {
	maskRows()
	maskWide()
	maskFlat()
	maskOne()
	maskSparse()
	maskColumn()
	fourSparse()
	fourColumn()
	fourOnes()
}

// halves multiplies up to 32 numbers by what was drawn for each in 16 bits.
func halves(drawn, limit, kept VecVirtual, to, from Register, left Register) {
	keep := K()
	VPCMPUW(Imm(5), limit, drawn, keep) // not less
	high, kh := GP64(), K()
	KMOVD(keep, high.As32())
	SHRL(Imm(16), high.As32())
	KMOVD(high.As32(), kh)
	for i, k := range []OpmaskVirtual{keep, kh} {
		there := K()
		if i == 0 {
			there = first(left, 16)
		} else {
			rest := GP64()
			MOVQ(left, rest)
			SUBQ(Imm(16), rest)
			CMPQ(rest, Imm(0))
			JLE(LabelRef("narrow"))
			there = first(rest, 16)
		}
		x := ZMM()
		VMOVUPS_Z(Mem{Base: from, Disp: 64 * i}, there, x)
		VMULPS_Z(kept, x, k, x)
		VMOVUPS(x, there, Mem{Base: to, Disp: 64 * i})
	}
	Label("narrow")
}

func limits() (limit, kept VecVirtual) {
	limit, kept = ZMM(), ZMM()
	l := load("limit")
	VPBROADCASTW(l.As32(), limit)
	broadcast("kept", kept)
	return limit, kept
}

// steps is what eight random numbers of a row that follow each other are apart from its key.
func steps() Mem { return multiples("steps", golden) }

// maskRows is for processors without AVX-512: four random numbers at a time, for sixteen columns.
func maskRows() {
	function("maskRowsAVX2", "func(to, from *float32, keys *uint64, n, width int, limit uint64, kept float32)")
	Doc("multiplies n rows of any width with those of a mask.")
	to, from, keys, n := load("to"), load("from"), load("keys"), load("n")
	m := newFourMixer()
	limit, kept, at, left := YMM(), YMM(), YMM(), GP64()
	least := load("limit")
	VMOVD(least.As32(), limit.AsX())
	VPBROADCASTW(limit.AsX(), limit)
	broadcast("kept", kept)
	Label("row")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	DECQ(n)
	VPBROADCASTQ(Mem{Base: keys}, at)
	VPADDQ(steps(), at, at)
	ADDQ(Imm(8), keys)
	Load(Param("width"), left)
	Label("columns")
	drawn, high := YMM(), XMM()
	VMOVDQA(at, drawn)
	m.mix(drawn)
	more := YMM()
	VPBROADCASTQ(bits64(4*golden&(1<<64-1)), more)
	VPADDQ(more, at, at)
	least16 := YMM()
	VPMAXUW(limit, drawn, least16) // not less
	VPCMPEQW(least16, drawn, drawn)
	VEXTRACTI128(Imm(1), drawn, high)
	for i, half := range []Op{drawn.AsX(), high} {
		part := []string{"low", "high"}[i]
		keep, x, mask := YMM(), YMM(), YMM()
		VPMOVSXWD(half, keep)
		CMPQ(left, Imm(8))
		JL(LabelRef(part + "Rest"))
		VMULPS(Mem{Base: from}, kept, x)
		VPAND(keep, x, x)
		VMOVUPS(x, Mem{Base: to})
		ADDQ(Imm(32), to)
		ADDQ(Imm(32), from)
		SUBQ(Imm(8), left)
		JZ(LabelRef("row"))
		if i == 0 {
			JMP(LabelRef("highHalf"))
		} else {
			JMP(LabelRef("columns"))
		}
		Label(part + "Rest")
		tail(left, mask)
		VMASKMOVPS(Mem{Base: from}, mask, x)
		VMULPS(x, kept, x)
		VPAND(keep, x, x)
		VMASKMOVPS(x, mask, Mem{Base: to})
		LEAQ(Mem{Base: to, Index: left, Scale: 4}, to)
		LEAQ(Mem{Base: from, Index: left, Scale: 4}, from)
		JMP(LabelRef("row"))
		if i == 0 {
			Label("highHalf")
		}
	}
	Label("end")
	VZEROUPPER()
	RET()
}

func maskWide() {
	function("maskWideAVX512", "func(to, from, times *float32, keys *uint64, n, width int, limit uint64, kept float32)")
	Doc("multiplies n rows of any width with those of a mask, and what comes of that with times, if there are any.")
	to, from, times, keys, n := load("to"), load("from"), load("times"), load("keys"), load("n")
	m := newMixer()
	limit, kept := limits()
	step, at, more := ZMM(), ZMM(), ZMM()
	VMOVDQU64(steps(), step)
	VPBROADCASTQ(bits64(8*golden&(1<<64-1)), more)
	ones, left := K(), GP64()
	KXNORW(ones, ones, ones)
	Label("row")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	DECQ(n)
	VPBROADCASTQ(Mem{Base: keys}, at)
	VPADDQ(step, at, at)
	ADDQ(Imm(8), keys)
	Load(Param("width"), left)
	Label("columns")
	x, keep, high := ZMM(), K(), K()
	VMOVDQA64(at, x)
	m.mix(x)
	VPADDQ(more, at, at)
	VPCMPUW(Imm(5), limit, x, keep) // not less
	KSHIFTRD(Imm(16), keep, high)
	for i, k := range []OpmaskVirtual{keep, high} {
		there := K()
		part := []string{"low", "high"}[i]
		KMOVW(ones, there)
		CMPQ(left, Imm(16))
		JGE(LabelRef(part))
		there0 := first(left, 16)
		KMOVW(there0, there)
		Label(part)
		x := ZMM()
		VMOVUPS_Z(Mem{Base: from}, there, x)
		VMULPS_Z(kept, x, k, x)
		TESTQ(times, times)
		JZ(LabelRef(part + "Done"))
		VMULPS_Z(Mem{Base: times}, x, there, x)
		ADDQ(Imm(64), times)
		Label(part + "Done")
		VMOVUPS(x, there, Mem{Base: to})
		ADDQ(Imm(64), to)
		ADDQ(Imm(64), from)
		SUBQ(Imm(16), left)
		JLE(LabelRef("next"))
	}
	JMP(LabelRef("columns"))
	Label("next") // left is how much less than whole vectors a row has
	TESTQ(times, times)
	JZ(LabelRef("noTimes"))
	LEAQ(Mem{Base: times, Index: left, Scale: 4}, times)
	Label("noTimes")
	LEAQ(Mem{Base: to, Index: left, Scale: 4}, to)
	LEAQ(Mem{Base: from, Index: left, Scale: 4}, from)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

func maskFlat() {
	function("maskFlatAVX512", "func(to, from *float32, keys *uint64, n, width int, by *uint64, limit uint64, kept float32)")
	Doc("multiplies n rows of 4, 8 or 16 numbers with those of a mask, so many rows at a time.")
	to, from, keys, n, width := load("to"), load("from"), load("keys"), load("n"), load("width")
	m := newMixer()
	limit, kept := limits()
	index, offsets := ZMM(), ZMM()
	table := load("by")
	VMOVDQU64(Mem{Base: table}, index)
	VMOVDQU64(Mem{Base: table, Disp: 64}, offsets)
	rows := GP64()
	MOVQ(Mem{Base: table, Disp: 128}, rows)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k := first(n, 8)
	x, left := ZMM(), GP64()
	VMOVDQU64_Z(Mem{Base: keys}, k, x)
	VPERMQ(x, index, x)
	VPADDQ(offsets, x, x)
	m.mix(x)
	MOVQ(n, left)
	IMULQ(width, left)
	halves(x, limit, kept, to, from, left)
	ADDQ(U32(128), to)
	ADDQ(U32(128), from)
	LEAQ(Mem{Base: keys, Index: rows, Scale: 8}, keys)
	SUBQ(rows, n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

func maskOne() {
	function("maskOneAVX512", "func(to, from *float32, keys *uint64, n int, limit uint64, kept float32)")
	Doc("multiplies n rows of one number with those of a mask.")
	to, from, keys, n := load("to"), load("from"), load("keys"), load("n")
	m := newMixer()
	low, limit, kept := ZMM(), ZMM(), YMM()
	VPBROADCASTQ(bits64(0xffff), low)
	VPBROADCASTQ(load("limit"), limit)
	broadcast("kept", kept)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k, keep := first(n, 8), K()
	x, y := ZMM(), YMM()
	VMOVDQU64_Z(Mem{Base: keys}, k, x)
	m.mix(x)
	VPANDQ(low, x, x)
	VPCMPUQ(Imm(5), limit, x, keep)
	VMOVUPS_Z(Mem{Base: from}, k, y)
	VMULPS_Z(kept, y, keep, y)
	VMOVUPS(y, k, Mem{Base: to})
	ADDQ(Imm(32), to)
	ADDQ(Imm(32), from)
	ADDQ(Imm(64), keys)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

func maskSparse() {
	function("maskSparseAVX512", "func(to *float32, places *uint32, from *float32, columns *uint32, n int, key, limit uint64, kept float32) int")
	Doc("multiplies n numbers of a row with those of a mask in their columns, and writes what is kept and where.")
	to, places, from, columns, n := load("to"), load("places"), load("from"), load("columns"), load("n")
	m := newMixer()
	low, limit, key, three, kept := ZMM(), ZMM(), ZMM(), ZMM(), YMM()
	VPBROADCASTQ(bits64(0xffff), low)
	VPBROADCASTQ(bits64(3), three)
	VPBROADCASTQ(load("limit"), limit)
	VPBROADCASTQ(load("key"), key)
	broadcast("kept", kept)
	written := GP64()
	XORQ(written, written)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k, keep := first(n, 8), K()
	x, y, lane, column := ZMM(), YMM(), ZMM(), YMM()
	VMOVDQU32_Z(Mem{Base: columns}, k, column)
	VPMOVZXDQ(column, x)
	VPANDQ(three, x, lane)
	VPSLLQ(Imm(4), lane, lane)
	VPSRLQ(Imm(2), x, x)
	VPMULLQ(m.add, x, x)
	VPADDQ(key, x, x)
	m.mix(x)
	VPSRLVQ(lane, x, x)
	VPANDQ(low, x, x)
	VPCMPUQ(Imm(5), limit, x, k, keep)
	VMULPS_Z(Mem{Base: from}, kept, keep, y)
	compress(keep, y, column, to, places, written)
	ADDQ(Imm(32), from)
	ADDQ(Imm(32), columns)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(written, ReturnIndex(0))
	RET()
}

func maskColumn() {
	function("maskColumnAVX512", "func(to *float32, places *uint32, from *float32, rows *uint32, n int, keys *uint64, step, shift, limit uint64, kept float32) int")
	Doc("multiplies n numbers of a column with those of a mask in their rows, and writes what is kept and where.")
	to, places, from, rows, n, keys := load("to"), load("places"), load("from"), load("rows"), load("n"), load("keys")
	m := newMixer()
	low, limit, step, shift, kept := ZMM(), ZMM(), ZMM(), ZMM(), YMM()
	VPBROADCASTQ(bits64(0xffff), low)
	VPBROADCASTQ(load("limit"), limit)
	VPBROADCASTQ(load("step"), step)
	VPBROADCASTQ(load("shift"), shift)
	broadcast("kept", kept)
	written := GP64()
	XORQ(written, written)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k, there, keep := first(n, 8), K(), K()
	x, y, row := ZMM(), YMM(), YMM()
	VMOVDQU32_Z(Mem{Base: rows}, k, row)
	KMOVW(k, there)
	VPXORQ(x, x, x)
	VPGATHERDQ(Mem{Base: keys, Index: row, Scale: 8}, there, x)
	VPADDQ(step, x, x)
	m.mix(x)
	VPSRLVQ(shift, x, x)
	VPANDQ(low, x, x)
	VPCMPUQ(Imm(5), limit, x, k, keep)
	VMULPS_Z(Mem{Base: from}, kept, keep, y)
	compress(keep, y, row, to, places, written)
	ADDQ(Imm(32), from)
	ADDQ(Imm(32), rows)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(written, ReturnIndex(0))
	RET()
}

// fourSparse is maskSparse for processors without AVX-512: of as many whole fours as there are.
func fourSparse() {
	function("maskSparseAVX2", "func(to *float32, places *uint32, from *float32, columns *uint32, n int, key, limit uint64, kept float32) int")
	Doc("multiplies n numbers of a row, a multiple of four, with those of a mask in their columns, and writes what is kept and where.")
	from, columns, key, lane, x := load("from"), load("columns"), YMM(), YMM(), YMM()
	broadcast64("key", key)
	eachFour(from, columns, func(m fourMixer, column VecVirtual) VecVirtual {
		VPMOVZXDQ(column, x)
		VPSLLQ(Imm(62), x, lane) // four times the column's place among four
		VPSRLQ(Imm(58), lane, lane)
		VPSRLQ(Imm(2), x, x)
		multiply(x, golden)
		VPADDQ(key, x, x)
		m.mix(x)
		VPSRLVQ(lane, x, x)
		return x
	})
}

// fourColumn is maskColumn for processors without AVX-512: of as many whole fours as there are.
func fourColumn() {
	function("maskColumnAVX2", "func(to *float32, places *uint32, from *float32, rows *uint32, n int, keys *uint64, step, shift, limit uint64, kept float32) int")
	Doc("multiplies n numbers of a column, a multiple of four, with those of a mask in their rows, and writes what is kept and where.")
	from, rows, keys, step, x := load("from"), load("rows"), load("keys"), YMM(), YMM()
	broadcast64("step", step)
	shift := XMM()
	VMOVQ(load("shift"), shift)
	eachFour(from, rows, func(m fourMixer, _ VecVirtual) VecVirtual {
		high, at := XMM(), GP64()
		for i, half := range []Register{x.AsX(), high} { // quicker than a gather
			MOVL(Mem{Base: rows, Disp: 8 * i}, at.As32())
			VMOVQ(Mem{Base: keys, Index: at, Scale: 8}, half)
			other := GP64()
			MOVL(Mem{Base: rows, Disp: 8*i + 4}, other.As32())
			VMOVHPD(Mem{Base: keys, Index: other, Scale: 8}, half, half)
		}
		VINSERTI128(Imm(1), high, x, x)
		VPADDQ(step, x, x)
		m.mix(x)
		VPSRLQ(shift, x, x)
		return x
	})
}

// eachFour goes through numbers, four at a time, with where they are. It writes those that are kept: of which the lowest
// 16 bits that are drawn are not below the limit.
func eachFour(from, at Register, draw func(m fourMixer, at VecVirtual) VecVirtual) {
	to, places, n, written := load("to"), load("places"), load("n"), GP64()
	XORQ(written, written)
	m, limit, kept := newFourMixer(), YMM(), XMM()
	broadcast64("limit", limit)
	VBROADCASTSS(parameter("kept"), kept)
	table := GP64()
	LEAQ(packs(), table)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	place, y, order, dropped := XMM(), XMM(), XMM(), GP64()
	VMOVDQU(Mem{Base: at}, place)
	x := draw(m, place)
	VPSLLQ(Imm(48), x, x)
	VPSRLQ(Imm(48), x, x)
	VPCMPGTQ(x, limit, x)
	VMOVMSKPD(x, dropped.As32())
	VMULPS(Mem{Base: from}, kept, y)
	count := GP64()
	MOVL(dropped.As32(), count.As32())
	SHLL(Imm(4), dropped.As32())
	VMOVDQU(Mem{Base: table, Index: dropped, Scale: 1}, order)
	VPSHUFB(order, y, y)
	VPSHUFB(order, place, place)
	VMOVUPS(y, Mem{Base: to, Index: written, Scale: 4})
	VMOVDQU(place, Mem{Base: places, Index: written, Scale: 4})
	POPCNTL(count.As32(), count.As32())
	SUBQ(count, written)
	ADDQ(Imm(4), written)
	ADDQ(Imm(16), from)
	ADDQ(Imm(16), at)
	SUBQ(Imm(4), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(written, ReturnIndex(0))
	RET()
}

// packs say, for each choice of what is dropped of four numbers, how bytes are moved to have the others first, and zeros.
func packs() Mem {
	return tableOf("packs", func() {
		for dropped := range 16 {
			at, end := 16*dropped, 16*(dropped+1)
			for i := range 4 {
				if dropped>>i&1 == 0 {
					DATA(at, U32(0x03020100+0x04040404*i))
					at += 4
				}
			}
			for ; at < end; at += 4 {
				DATA(at, U32(0x80808080))
			}
		}
	})
}

// fourOnes is maskOne for processors without AVX-512: of as many whole fours as there are.
func fourOnes() {
	function("maskOneAVX2", "func(to, from *float32, keys *uint64, n int, limit uint64, kept float32)")
	Doc("multiplies n rows of one number, a multiple of four, with those of a mask.")
	to, from, keys, n := load("to"), load("from"), load("keys"), load("n")
	m, limit, kept := newFourMixer(), YMM(), XMM()
	broadcast64("limit", limit)
	VBROADCASTSS(parameter("kept"), kept)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	x, high, y := YMM(), XMM(), XMM()
	VMOVDQU(Mem{Base: keys}, x)
	m.mix(x)
	VPSLLQ(Imm(48), x, x)
	VPSRLQ(Imm(48), x, x)
	VPCMPGTQ(x, limit, x)
	VEXTRACTI128(Imm(1), x, high)
	VSHUFPS(Imm(0x88), high, x.AsX(), high) // one half of each
	VMULPS(Mem{Base: from}, kept, y)
	VANDNPS(y, high, y)
	VMOVUPS(y, Mem{Base: to})
	ADDQ(Imm(16), to)
	ADDQ(Imm(16), from)
	ADDQ(Imm(32), keys)
	SUBQ(Imm(4), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// compress writes those of eight numbers y that keep names behind those that are written, and where they were.
func compress(keep OpmaskVirtual, y, at VecVirtual, to, places, written GPVirtual) {
	VCOMPRESSPS_Z(y, keep, y)
	VPCOMPRESSD_Z(at, keep, at)
	count := GP64()
	KMOVD(keep, count.As32())
	POPCNTL(count.As32(), count.As32())
	there := first(count, 8)
	VMOVUPS(y, there, Mem{Base: to, Index: written, Scale: 4})
	VMOVDQU32(at, there, Mem{Base: places, Index: written, Scale: 4})
	ADDQ(count, written)
}
