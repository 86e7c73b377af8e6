//go:build ignore

// Main writes the kernel of a step.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	TEXT("stepAVX2", NOSPLIT, "func(numbers, gradient, mean, square *float32, n int, step, root, decay float32)")
	Doc("moves n numbers against their gradient.")
	Pragma("noescape")
	load := func(name string) Register { return Load(Param(name), GP64()) }
	k := kernel{numbers: load("numbers"), gradient: load("gradient"), mean: load("mean"), square: load("square"),
		step: broadcast("step"), root: broadcast("root"), decay: broadcast("decay")}
	n := load("n")
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	k.eight()
	for _, p := range []Register{k.numbers, k.gradient, k.mean, k.square} {
		ADDQ(Imm(32), p)
	}
	SUBQ(Imm(8), n)
	JMP(LabelRef("eight"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	k.mask = firsts(n)
	k.eight()
	Label("end")
	VZEROUPPER()
	RET()
	Generate()
}

// kernel goes along numbers, eight at a time.
type kernel struct {
	numbers, gradient, mean, square Register
	step, root, decay               VecVirtual
	mask                            VecVirtual // of the rest, which is fewer than eight
}

// eight is a step of eight numbers, or of the rest: what is beyond is read as 0 and not written.
func (k *kernel) eight() {
	x, g, m, s, t := YMM(), YMM(), YMM(), YMM(), YMM()
	k.get(k.numbers, x)
	k.get(k.gradient, g)
	k.get(k.mean, m)
	k.get(k.square, s)
	VMULPS(x, k.decay, t)
	VADDPS(t, g, g)
	VSUBPS(m, g, t)
	VMULPS(number(0.1), t, t)
	VADDPS(t, m, m)
	VADDPS(number(tiny), m, m)
	VSUBPS(number(tiny), m, m)
	k.put(m, k.mean)
	VMULPS(g, g, g)
	VSUBPS(s, g, g)
	VMULPS(number(0.001), g, g)
	VADDPS(g, s, s)
	VADDPS(number(tiny), s, s)
	VSUBPS(number(tiny), s, s)
	k.put(s, k.square)
	VSQRTPS(s, s)
	VMULPS(k.root, s, s)
	VADDPS(number(1e-8), s, s)
	VMULPS(k.step, m, m)
	VDIVPS(s, m, m)
	VSUBPS(m, x, x)
	k.put(x, k.numbers)
}

const tiny = 0x1p-100

func (k *kernel) get(p Register, to VecVirtual) {
	if k.mask != nil {
		VMASKMOVPS(Mem{Base: p}, k.mask, to)
		return
	}
	VMOVUPS(Mem{Base: p}, to)
}

func (k *kernel) put(x VecVirtual, p Register) {
	if k.mask != nil {
		VMASKMOVPS(x, k.mask, Mem{Base: p})
		return
	}
	VMOVUPS(x, Mem{Base: p})
}

// broadcast loads a number into all places of a vector. avo's Load is an SSE instruction, which waits some hundred
// cycles where the upper parts of a register have been written.
func broadcast(name string) VecVirtual {
	parameter, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	to := YMM()
	VBROADCASTSS(parameter.Addr, to)
	return to
}

// firsts is the mask of the first n of eight numbers.
func firsts(n Register) VecVirtual {
	numbered, mask := GLOBL("numbered", RODATA|NOPTR), YMM()
	for i := range 8 {
		DATA(4*i, U32(uint32(i)))
	}
	VMOVD(n.(GPVirtual).As32(), mask.AsX())
	VPBROADCASTD(mask.AsX(), mask)
	VPCMPGTD(numbered, mask, mask)
	return mask
}

var constants = map[uint32]Mem{}

// number is eight times a number, in memory.
func number(x float64) Mem {
	bits := math.Float32bits(float32(x))
	if m, made := constants[bits]; made {
		return m
	}
	m := GLOBL(fmt.Sprintf("eight%08x", bits), RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(bits))
	}
	constants[bits] = m
	return m
}
