//go:build ignore

// Main writes the kernel that draws a topic of those that a word has.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const lanes = 8

func main() {
	ConstraintExpr("amd64")
	fetch()
	TEXT("chooseAVX2", NOSPLIT,
		"func(list *int32, groups int, weights, products *float32, old int32, u, rest float32) (from, to int32, own float32)")
	Pragma("noescape")
	Doc("is choose, of so many groups of eight entries. There are as many products as entries.")
	list, groups := Load(Param("list"), GP64()), Load(Param("groups"), GP64())
	weights, products := Load(Param("weights"), GP64()), Load(Param("products"), GP64())
	own, from := weigh(list, groups, weights, products)
	Store(own, Return("own"))
	Store(from, Return("from"))

	at, up := XMM(), XMM()
	Load(Param("rest"), at)
	VADDSS(own, at, at)
	Load(Param("u"), up)
	VMULSS(up, at, at)
	VUCOMISS(own, at)
	JAE(LabelRef("none"))
	to := search(at, groups, products)
	Store(to, Return("to"))
	VZEROUPPER()
	RET()

	Label("none")
	none := GP32()
	MOVL(I32(-1), none)
	Store(none, Return("to"))
	VZEROUPPER()
	RET()
	Generate()
}

// fetch is of what most lists take.
func fetch() {
	const lines, line = 4, 64
	TEXT("fetch", NOSPLIT, "func(list *int32)")
	Pragma("noescape")
	Doc("has the processor bring a list, and does not wait for it.")
	list := Load(Param("list"), GP64())
	for i := range lines {
		PREFETCHT0(Mem{Base: list, Disp: line * i})
	}
	RET()
}

// weigh writes the products of how many tokens topics have, but for one of old, and weights. It says what they add up
// to, and the place of old.
func weigh(list, groups, weights, products Register) (own VecVirtual, from Register) {
	old, place, eight, where, sum := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVD(Load(Param("old"), GP32()), old.AsX())
	VPBROADCASTD(old.AsX(), old)
	VMOVDQU(numbered(), place)
	VPBROADCASTD(constant("eight", lanes), eight)
	VPXOR(where, where, where)
	VXORPS(sum, sum, sum)
	entry, product, left := GP64(), GP64(), GP64()
	MOVQ(list, entry)
	MOVQ(products, product)
	MOVQ(groups, left)

	Label("weigh")
	// Of entries 0, 1, 4, 5 and 2, 3, 6, 7 come the topics in order, and so how many there are.
	a, b, topics, many := YMM(), YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: entry}, a.AsX())
	VMOVUPS(Mem{Base: entry, Disp: 16}, b.AsX())
	VINSERTF128(Imm(1), Mem{Base: entry, Disp: 32}, a, a)
	VINSERTF128(Imm(1), Mem{Base: entry, Disp: 48}, b, b)
	VSHUFPS(Imm(0b10001000), b, a, topics)
	VSHUFPS(Imm(0b11011101), b, a, many)
	is, mask, x := YMM(), YMM(), YMM()
	VPCMPEQD(mask, mask, mask)
	VXORPS(x, x, x)
	VPCMPEQD(topics, old, is)
	VGATHERDPS(mask, Mem{Base: weights, Index: topics, Scale: 4}, x)
	VPADDD(is, many, many) // −1 where it is
	VPAND(place, is, is)
	VPOR(is, where, where)
	VPADDD(eight, place, place)
	VCVTDQ2PS(many, many)
	VMULPS(many, x, x)
	VMOVUPS(x, Mem{Base: product})
	VADDPS(x, sum, sum)
	ADDQ(Imm(8*lanes), entry)
	ADDQ(Imm(4*lanes), product)
	DECQ(left)
	JNZ(LabelRef("weigh"))

	high, swap := XMM(), XMM()
	VEXTRACTF128(Imm(1), sum, high)
	VADDPS(sum.AsX(), high, high)
	VPERMILPS(Imm(0b01001110), high, swap)
	VADDPS(swap, high, high)
	VMOVSHDUP(high, swap)
	own = XMM()
	VADDSS(swap, high, own)

	some := XMM()
	VEXTRACTF128(Imm(1), where, some)
	VPOR(where.AsX(), some, some)
	VPSHUFD(Imm(0b01001110), some, swap)
	VPOR(swap, some, some)
	VPSHUFD(Imm(0b10110001), some, swap)
	VPOR(swap, some, some)
	from = GP32()
	VMOVD(some, from)
	return own, from
}

// search is the first place up to which products add up to more than at; −1: there is none.
func search(at VecVirtual, groups, products Register) (to Register) {
	goal, before := YMM(), YMM()
	VBROADCASTSS(at, goal)
	VXORPS(before, before, before)
	to = GP32()
	XORL(to, to)

	Label("search")
	x, shifted, bits := YMM(), YMM(), GP32()
	VMOVUPS(Mem{Base: products}, x)
	VPSLLDQ(Imm(4), x, shifted)
	VADDPS(shifted, x, x)
	VPSLLDQ(Imm(8), x, shifted)
	VADDPS(shifted, x, x)
	VPERM2F128(Imm(0b00001000), x, x, shifted) // the lower half, above zeros
	VPERMILPS(Imm(0b11111111), shifted, shifted)
	VADDPS(shifted, x, x)
	VADDPS(before, x, x)
	VCMPPS(Imm(1), x, goal, shifted) // goal < x
	VMOVMSKPS(shifted, bits)
	TESTL(bits, bits)
	JNZ(LabelRef("found"))
	VPERM2F128(Imm(0b00010001), x, x, before)
	VPERMILPS(Imm(0b11111111), before, before)
	ADDQ(Imm(4*lanes), products)
	ADDL(Imm(lanes), to)
	DECQ(groups)
	JNZ(LabelRef("search"))
	MOVL(I32(-1), to)
	JMP(LabelRef("searched"))

	Label("found")
	BSFL(bits, bits)
	ADDL(bits, to)
	Label("searched")
	return to
}

func constant(name string, x uint32) Mem {
	at := GLOBL(name, RODATA|NOPTR)
	DATA(0, U32(x))
	return at
}

// numbered is 0 to 7.
func numbered() Mem {
	at := GLOBL("numbered", RODATA|NOPTR)
	for i := range lanes {
		DATA(4*i, U32(uint32(i)))
	}
	return at
}
