//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// masks multiply rows with what is drawn of keys.
func masks() {
	maskWide()
	maskFlat()
	maskOne()
	maskSparse()
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

func maskWide() {
	function("maskWideAVX512", "func(to, from *float32, width int, key, limit uint64, kept float32)")
	Doc("multiplies a row of any width with that of a mask.")
	to, from, left := load("to"), load("from"), load("width")
	m := newMixer()
	limit, kept := limits()
	at, more := ZMM(), ZMM()
	VPBROADCASTQ(load("key"), at)
	VPADDQ(times("steps", golden), at, at)
	VPBROADCASTQ(bits64(8*golden&(1<<64-1)), more)
	Label("loop")
	CMPQ(left, Imm(0))
	JLE(LabelRef("end"))
	x := ZMM()
	VMOVDQA64(at, x)
	m.mix(x)
	halves(x, limit, kept, to, from, left)
	VPADDQ(more, at, at)
	ADDQ(U32(128), to)
	ADDQ(U32(128), from)
	SUBQ(Imm(32), left)
	JMP(LabelRef("loop"))
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
	VCOMPRESSPS_Z(y, keep, y)
	VPCOMPRESSD_Z(column, keep, column)
	count := GP64()
	KMOVD(keep, count.As32())
	POPCNTL(count.As32(), count.As32())
	there := first(count, 8)
	VMOVUPS(y, there, Mem{Base: to, Index: written, Scale: 4})
	VMOVDQU32(column, there, Mem{Base: places, Index: written, Scale: 4})
	ADDQ(count, written)
	ADDQ(Imm(32), from)
	ADDQ(Imm(32), columns)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(written, ReturnIndex(0))
	RET()
}
