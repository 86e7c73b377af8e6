//go:build ignore

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tiles are the innermost loops of products of matrices:
//
//	c[r][j] += Σₖ a[r·aRow + k·aStep] · b[k·bStep + j]      r < rows, j < n
//	c[r][j] -= Σₖ (a[r·aRow + k·aStep] - b[k·bStep + j])²
//
// k goes upward, one fused multiplication and addition after the other, so that a number has the same bits in a tile
// of any size.
func tiles() {
	for _, wide := range []bool{true, false} {
		for _, rows := range []int{8, 4, 1} {
			if rows == 8 && !wide {
				continue // there are 16 registers
			}
			for vectors := 1; vectors <= 2; vectors++ {
				tile(wide, rows, vectors, false)
			}
			tile(wide, rows, 2, true)
		}
	}
	for _, rows := range []int{8, 4, 1} {
		tileOf("AVX512", 8, rows, 1, false)
	}
}

func tile(wide bool, rows, vectors int, squares bool) {
	if wide {
		tileOf("AVX512", 16, rows, vectors, squares)
	} else {
		tileOf("AVX2", 8, rows, vectors, squares)
	}
}

// tileOf is a tile of vectors of so many numbers. Narrow matrices take half as long by vectors of eight.
func tileOf(isa string, lanes, rows, vectors int, squares bool) {
	wide := isa == "AVX512" // there are masks, and more registers
	name, doc := "tile", "adds to a tile of so many rows, and columns of so many vectors."
	if squares {
		name, doc = "squares", "subtracts squares of differences from a tile."
	}
	if wide && lanes == 8 {
		name = "narrow"
	}
	function(fmt.Sprintf("%s%dx%d%s", name, rows, vectors, isa), "func(c, a, b *float32, k, n, cRow, aRow, aStep, bStep int)")
	Doc(doc)
	register := func() VecVirtual {
		if lanes == 16 {
			return ZMM()
		}
		return YMM()
	}
	c, a, b, k, n := load("c"), load("a"), load("b"), load("k"), load("n")
	cRow, aRow, aStep, bStep := bytes("cRow"), bytes("aRow"), bytes("aStep"), bytes("bStep")
	SUBQ(Imm(uint64(lanes*(vectors-1))), n)
	var mask K16
	blend := YMM()
	if wide {
		mask = K16{K()}
		bits := GP64()
		MOVQ(I32(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVW(bits.As32(), mask.KVirtual)
	} else {
		tail(n, blend)
	}
	at := func(base Register, v int) Mem { return Mem{Base: base, Disp: 4 * lanes * v} }
	read := func(m Mem, last bool, to VecVirtual) {
		switch {
		case !last:
			VMOVUPS(m, to)
		case wide:
			VMOVUPS_Z(m, mask.KVirtual, to)
		default:
			VMASKMOVPS(m, blend, to)
		}
	}
	sums := make([][]VecVirtual, rows)
	row := GP64()
	MOVQ(c, row)
	for r := range sums {
		for v := range vectors {
			sums[r] = append(sums[r], register())
			read(at(row, v), v == vectors-1, sums[r][v])
		}
		if r < rows-1 {
			ADDQ(cRow, row)
		}
	}
	// Three rows are reached from one pointer.
	var from []GPVirtual
	for r := 0; r < rows; r += 3 {
		p := GP64()
		MOVQ(a, p)
		from = append(from, p)
		if r+3 < rows {
			for range 3 {
				ADDQ(aRow, a)
			}
		}
	}
	number := func(r int) Mem {
		if r%3 == 0 {
			return Mem{Base: from[r/3]}
		}
		return Mem{Base: from[r/3], Index: aRow, Scale: uint8(r % 3)}
	}
	right := make([]VecVirtual, vectors)
	for v := range right {
		right[v] = register()
	}
	TESTQ(k, k)
	JZ(LabelRef("done"))
	Label("loop")
	for v := range right {
		read(at(b, v), v == vectors-1, right[v])
	}
	ADDQ(bStep, b)
	for r := range rows {
		if wide && vectors == 1 {
			VFMADD231PS_BCST(number(r), right[0], sums[r][0])
			continue
		}
		x := register()
		VBROADCASTSS(number(r), x)
		for v := range vectors {
			if !squares {
				VFMADD231PS(x, right[v], sums[r][v])
				continue
			}
			d := register()
			VSUBPS(right[v], x, d)
			VFNMADD231PS(d, d, sums[r][v])
		}
	}
	for _, p := range from {
		ADDQ(aStep, p)
	}
	DECQ(k)
	JNZ(LabelRef("loop"))
	Label("done")
	for r := range sums {
		for v := range vectors {
			switch m := at(c, v); {
			case v < vectors-1:
				VMOVUPS(sums[r][v], m)
			case wide:
				VMOVUPS(sums[r][v], mask.KVirtual, m)
			default:
				VMASKMOVPS(sums[r][v], blend, m)
			}
		}
		ADDQ(cRow, c)
	}
	VZEROUPPER()
	RET()
}

// K16 is a mask.
type K16 struct{ KVirtual OpmaskVirtual }

// peak does as many fused multiplications and additions as a processor can.
func peak() {
	for _, wide := range []bool{true, false} {
		isa, chains := "AVX2", 12
		if wide {
			isa, chains = "AVX512", 24
		}
		function("peak"+isa, "func(n int)")
		Doc("does rounds of 24 (of 16 numbers) or 12 (of 8) fused multiplications and additions that wait for none.")
		n := load("n")
		var sums []VecVirtual
		for range chains {
			var r VecVirtual
			if wide {
				r = ZMM()
				VPXORQ(r, r, r)
			} else {
				r = YMM()
				VXORPS(r, r, r)
			}
			sums = append(sums, r)
		}
		Label("loop")
		for _, r := range sums {
			VFMADD231PS(sums[0], sums[0], r)
		}
		DECQ(n)
		JNZ(LabelRef("loop"))
		VZEROUPPER()
		RET()
	}
}
