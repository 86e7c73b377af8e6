//go:build ignore

// Main writes all kernels.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	tiles()
	peak()
	unaries()
	elus()
	lessMost()
	binaries()
	scaleParts()
	addScaled()
	sumScaled()
	dotParts()
	comparisons()
	panels()
	addTo()
	addShares()
	maxRows()
	lists()
	scatter()
	sections()
	weighted()
	sumRuns()
	scores()
	keys()
	masks()
	Generate()
}

var constants = map[uint32]Mem{}

// eight is eight times a constant, in memory.
func eight(bits uint32) Mem {
	if m, made := constants[bits]; made {
		return m
	}
	m := GLOBL("eight"+hex(bits), 8|16) // read only, no pointers
	for i := range 8 {
		DATA(4*i, U32(bits))
	}
	constants[bits] = m
	return m
}

func hex(x uint32) string {
	const digits = "0123456789abcdef"
	var s [8]byte
	for i := range s {
		s[i] = digits[x>>(28-4*i)&15]
	}
	return string(s[:])
}

// tails are masks of the first 0 to 8 of 8 numbers.
var tails = func() func() Mem {
	var m Mem
	made := false
	return func() Mem {
		if !made {
			m, made = GLOBL("tails", 8|16), true
			for n := range 9 {
				for i := range 8 {
					bits := uint32(0)
					if i < n {
						bits = 1<<32 - 1
					}
					DATA(4*(8*n+i), U32(bits))
				}
			}
		}
		return m
	}
}()

// tail loads the mask of the first n of 8 numbers.
func tail(n Register, mask VecVirtual) {
	at, base := GP64(), GP64()
	MOVQ(n, at)
	SHLQ(Imm(5), at)
	LEAQ(tails(), base)
	VMOVDQU(Mem{Base: base, Index: at, Scale: 1}, mask)
}

// function begins a function that keeps none of its pointers.
func function(name, signature string) {
	TEXT(name, 4, signature) // no split
	Pragma("noescape")
}

// load loads a parameter.
func load(name string) GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// bytes loads a parameter in numbers of four bytes.
func bytes(name string) GPVirtual {
	r := load(name)
	SHLQ(Imm(2), r)
	return r
}

// broadcast loads a number into all places of a vector. avo's Load is an SSE instruction, which waits some hundred
// cycles where the upper parts of a register have been written.
func broadcast(name string, to VecVirtual) { VBROADCASTSS(parameter(name), to) }

// broadcast64 loads a number of 64 bits into all places of a vector.
func broadcast64(name string, to VecVirtual) { VPBROADCASTQ(parameter(name), to) }

// parameter is where a parameter lies.
func parameter(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
