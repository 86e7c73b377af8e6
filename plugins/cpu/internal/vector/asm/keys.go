//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var sixtyFour = map[uint64]Mem{}

// bits64 is a constant in memory.
func bits64(x uint64) Mem {
	m, made := sixtyFour[x]
	if !made {
		m = GLOBL("bits"+hex(uint32(x>>32))+hex(uint32(x)), 8|16)
		DATA(0, U64(x))
		sixtyFour[x] = m
	}
	return m
}

var tables = map[string]Mem{}

// tableOf is constants in memory, which fill writes.
func tableOf(name string, fill func()) Mem {
	m, made := tables[name]
	if !made {
		m = GLOBL(name, 8|16)
		fill()
		tables[name] = m
	}
	return m
}

// multiples is eight 64-bit numbers: 0 to 7 times x.
func multiples(name string, x uint64) Mem {
	return tableOf(name, func() {
		for i := range uint64(8) {
			DATA(int(8*i), U64(i*x))
		}
	})
}

const golden = 0x9e3779b97f4a7c15

// mixer is the finalizer of SplitMix64, of eight numbers.
type mixer struct{ add, first, second VecVirtual }

func newMixer() mixer {
	m := mixer{ZMM(), ZMM(), ZMM()}
	VPBROADCASTQ(bits64(golden), m.add)
	VPBROADCASTQ(bits64(0xbf58476d1ce4e5b9), m.first)
	VPBROADCASTQ(bits64(0x94d049bb133111eb), m.second)
	return m
}

func (m mixer) mix(x VecVirtual) {
	shifted := ZMM()
	VPADDQ(m.add, x, x)
	VPSRLQ(Imm(30), x, shifted)
	VPXORQ(shifted, x, x)
	VPMULLQ(m.first, x, x)
	VPSRLQ(Imm(27), x, shifted)
	VPXORQ(shifted, x, x)
	VPMULLQ(m.second, x, x)
	VPSRLQ(Imm(31), x, shifted)
	VPXORQ(shifted, x, x)
}

// fourMixer is a mixer of four numbers, by AVX2.
type fourMixer struct{ add VecVirtual }

func newFourMixer() fourMixer {
	m := fourMixer{YMM()}
	VPBROADCASTQ(bits64(golden), m.add)
	return m
}

func (m fourMixer) mix(x VecVirtual) {
	shifted := YMM()
	VPADDQ(m.add, x, x)
	VPSRLQ(Imm(30), x, shifted)
	VPXOR(shifted, x, x)
	multiply(x, 0xbf58476d1ce4e5b9)
	VPSRLQ(Imm(27), x, shifted)
	VPXOR(shifted, x, x)
	multiply(x, 0x94d049bb133111eb)
	VPSRLQ(Imm(31), x, shifted)
	VPXOR(shifted, x, x)
}

// multiply multiplies four numbers of 64 bits by a constant, of which AVX2 multiplies halves.
func multiply(x VecVirtual, by uint64) {
	low, high, upper, cross := YMM(), YMM(), YMM(), YMM()
	VPBROADCASTQ(bits64(by), low)
	VPSRLQ(Imm(32), low, high)
	VPSRLQ(Imm(32), x, upper)
	VPMULUDQ(low, upper, upper)
	VPMULUDQ(high, x, cross)
	VPADDQ(upper, cross, cross)
	VPSLLQ(Imm(32), cross, cross)
	VPMULUDQ(low, x, x)
	VPADDQ(cross, x, x)
}

// first makes a mask of the first n numbers, at most most.
func first(n Register, most uint64) OpmaskVirtual {
	k, bits, count := K(), GP64(), GP64()
	MOVQ(U32(most), bits)
	CMPQ(n, bits)
	MOVQ(n, count)
	CMOVQGT(bits, count)
	MOVQ(I32(-1), bits)
	BZHIQ(count, bits, bits)
	KMOVD(bits.As32(), k)
	return k
}

// keys make what rows of masks are drawn from.
func keys() {
	vertexKeys()
	edgeKeys()
	fourVertexKeys()
	fourEdgeKeys()
}

// fourVertexKeys is vertexKeys for processors without AVX-512: of as many whole fours as there are.
func fourVertexKeys() {
	function("vertexKeysAVX2", "func(keys *uint64, first uint64, n int, key uint64)")
	Doc("makes the keys of n rows from first on, a multiple of four.")
	keys, n, m := load("keys"), load("n"), newFourMixer()
	rows, key, fourMore := YMM(), YMM(), YMM()
	broadcast64("first", rows)
	VPADDQ(multiples("iota", 1), rows, rows)
	broadcast64("key", key)
	VPBROADCASTQ(bits64(4), fourMore)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	x := YMM()
	VMOVDQA(rows, x)
	m.mix(x)
	VPXOR(key, x, x)
	m.mix(x)
	VMOVDQU(x, Mem{Base: keys})
	VPADDQ(fourMore, rows, rows)
	ADDQ(Imm(32), keys)
	SUBQ(Imm(4), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// fourEdgeKeys is edgeKeys for processors without AVX-512: of as many whole fours as there are.
func fourEdgeKeys() {
	function("edgeKeysAVX2", "func(keys *uint64, sources, targets *uint32, n int, key uint64)")
	Doc("makes the keys of n edges, a multiple of four, by their ends.")
	keys, sources, targets, n, m := load("keys"), load("sources"), load("targets"), load("n"), newFourMixer()
	key, most := YMM(), YMM()
	broadcast64("key", key)
	VPBROADCASTQ(bits64(1<<32-1), most)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	x, y, twice := YMM(), YMM(), YMM()
	VPMOVZXDQ(Mem{Base: sources}, x)
	VPMOVZXDQ(Mem{Base: targets}, y)
	m.mix(x)
	VPADDQ(x, x, twice)
	VPADDQ(twice, x, x)
	VPADDQ(y, x, x)
	VPADDQ(most, x, x)
	m.mix(x)
	VPXOR(key, x, x)
	m.mix(x)
	VMOVDQU(x, Mem{Base: keys})
	ADDQ(Imm(16), sources)
	ADDQ(Imm(16), targets)
	ADDQ(Imm(32), keys)
	SUBQ(Imm(4), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

func vertexKeys() {
	function("vertexKeysAVX512", "func(keys *uint64, first uint64, n int, key uint64)")
	Doc("makes the keys of rows from first on.")
	keys, row, n := load("keys"), load("first"), load("n")
	m := newMixer()
	rows, key, eightMore := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(row, rows)
	VPADDQ(multiples("iota", 1), rows, rows)
	VPBROADCASTQ(load("key"), key)
	VPBROADCASTQ(bits64(8), eightMore)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k := first(n, 8)
	x := ZMM()
	VMOVDQA64(rows, x)
	m.mix(x)
	VPXORQ(key, x, x)
	m.mix(x)
	VMOVDQU64(x, k, Mem{Base: keys})
	VPADDQ(eightMore, rows, rows)
	ADDQ(Imm(64), keys)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

func edgeKeys() {
	function("edgeKeysAVX512", "func(keys *uint64, sources, targets *uint32, n int, key uint64)")
	Doc("makes the keys of edges, by their ends.")
	keys, sources, targets, n := load("keys"), load("sources"), load("targets"), load("n")
	m := newMixer()
	key, most := ZMM(), ZMM()
	VPBROADCASTQ(load("key"), key)
	VPBROADCASTQ(bits64(1<<32-1), most)
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	k := first(n, 8)
	x, y, twice := ZMM(), ZMM(), ZMM()
	VPMOVZXDQ_Z(Mem{Base: sources}, k, x)
	VPMOVZXDQ_Z(Mem{Base: targets}, k, y)
	m.mix(x)
	VPADDQ(x, x, twice)
	VPADDQ(twice, x, x)
	VPADDQ(y, x, x)
	VPADDQ(most, x, x)
	m.mix(x)
	VPXORQ(key, x, x)
	m.mix(x)
	VMOVDQU64(x, k, Mem{Base: keys})
	ADDQ(Imm(32), sources)
	ADDQ(Imm(32), targets)
	ADDQ(Imm(64), keys)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}
