//go:build ignore

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sections adds up rows times a number each, and where a row of another section begins what the one before has come to.
// Both sums stay in registers.
func sections() {
	for vectors := 1; vectors <= 4; vectors++ {
		addSections("AVX512", vectors)
	}
	for vectors := 1; vectors <= 4; vectors++ {
		addSections("AVX2", vectors)
	}
}

func addSections(isa string, vectors int) {
	function(fmt.Sprintf("addSections%d%s", vectors, isa),
		"func(sum, section, y *float32, rows *uint32, values *float32, of *uint8, last uint64, n, width, stride, more int)")
	Doc(fmt.Sprintf("adds n rows, of up to %d vectors, to the sum of their section, and sums of sections to one.", vectors))
	sum, section, y, rows, values, of := load("sum"), load("section"), load("y"), load("rows"), load("values"), load("of")
	last, n, stride := load("last"), load("n"), bytes("stride")
	lanes, register := 16, func() VecVirtual { return ZMM() }
	if isa == "AVX2" {
		lanes, register = 8, func() VecVirtual { return YMM() }
	}
	rest := load("width")
	SUBQ(Imm(uint64(lanes*(vectors-1))), rest)
	var mask Register
	if isa == "AVX2" {
		m := YMM()
		tail(rest, m)
		mask = m
	} else {
		mask = first(rest, 16)
	}
	move := func(to []VecVirtual, base Register, out bool) {
		for v, x := range to {
			if m := (Mem{Base: base, Disp: 4 * lanes * v}); out {
				put(x, m, mask, v == vectors-1)
			} else {
				get(m, mask, v == vectors-1, x)
			}
		}
	}
	var sums, own []VecVirtual
	for range vectors {
		sums, own = append(sums, register()), append(own, register())
	}
	move(sums, sum, false)
	move(own, section, false)
	e, at, place, f := GP64(), GP64(), GP64(), register()
	XORQ(e, e)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	if isa == "AVX2" {
		askFor(y, rows, e, n, stride, (vectors+1)/2)
	}
	MOVL(Mem{Base: rows, Index: e, Scale: 4}, place.As32())
	MOVBLZX(Mem{Base: of, Index: place, Scale: 1}, at.As32())
	differs := GP64() // no branch: what begins a section cannot be foretold
	XORL(differs.As32(), differs.As32())
	CMPQ(at, last)
	SETNE(differs.As8())
	NEGL(differs.As32())
	if isa == "AVX2" {
		other, ended := YMM(), YMM()
		VMOVD(differs.As32(), other.AsX())
		VPBROADCASTD(other.AsX(), other)
		for v, x := range sums {
			VANDPS(own[v], other, ended)
			VADDPS(ended, x, x)
			VANDNPS(own[v], other, own[v])
		}
	} else {
		same, other := K(), K()
		KMOVW(differs.As32(), other)
		KNOTW(other, same)
		for v, x := range sums {
			VADDPS(own[v], x, other, x)
			VMOVAPS_Z(own[v], same, own[v])
		}
	}
	MOVQ(at, last)
	IMULQ(stride, place)
	ADDQ(y, place)
	VBROADCASTSS(Mem{Base: values, Index: e, Scale: 4}, f)
	for v, x := range own {
		m := Mem{Base: place, Disp: 4 * lanes * v}
		if v == vectors-1 {
			row := register()
			get(m, mask, true, row)
			VFMADD231PS(row, f, x)
		} else {
			VFMADD231PS(m, f, x)
		}
	}
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	more := load("more")
	TESTQ(more, more)
	JNZ(LabelRef("more"))
	for v, x := range sums {
		VADDPS(own[v], x, x)
	}
	Label("more")
	move(own, section, true)
	move(sums, sum, true)
	VZEROUPPER()
	RET()
}
