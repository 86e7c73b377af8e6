//go:build ignore

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

type binaryOp struct {
	name string
	emit func(x, y, out VecVirtual)
}

func binaryOps() []binaryOp {
	return []binaryOp{
		{"add", func(x, y, out VecVirtual) { VADDPS(y, x, out) }},
		{"subtract", func(x, y, out VecVirtual) { VSUBPS(y, x, out) }},
		{"multiply", func(x, y, out VecVirtual) { VMULPS(y, x, out) }},
		{"divide", func(x, y, out VecVirtual) {
			zero := YMM()
			VXORPS(zero, zero, zero)
			VCMPPS(Imm(4), zero, y, zero) // not equal, or not a number
			VDIVPS(y, x, out)
			VANDPS(zero, out, out)
		}},
	}
}

// rowAt finds a row by its index, or the next one where there is none: at = p + width · (index ? index[e] : e).
func rowAt(label string, p, index, e, width Register) GPVirtual {
	at := GP64()
	MOVQ(e, at)
	TESTQ(index, index)
	JZ(LabelRef(label))
	MOVL(Mem{Base: index, Index: e, Scale: 4}, at.As32())
	Label(label)
	IMULQ(width, at)
	ADDQ(p, at)
	return at
}

// ahead asks for the first lines of rows that indices name some rows after row e of n, for they lie anywhere.
func ahead(e, n, stride Register, lines int, names ...string) {
	const rows = 12
	later, at := GP64(), GP64()
	LEAQ(Mem{Base: e, Disp: rows}, later)
	CMPQ(later, n)
	JGE(LabelRef("asked"))
	for _, name := range names {
		index := load(name + "Index")
		TESTQ(index, index)
		JZ(LabelRef(name + "Follows"))
		MOVL(Mem{Base: index, Index: later, Scale: 4}, at.As32())
		IMULQ(stride, at)
		ADDQ(load(name), at)
		for i := range lines {
			PREFETCHT0(Mem{Base: at, Disp: 64 * i})
		}
		Label(name + "Follows")
	}
	Label("asked")
}

// askFor asks for the first lines of the row of p that an index names some rows after row e of n.
func askFor(p, index, e, n, stride Register, lines int) {
	later, at := GP64(), GP64()
	LEAQ(Mem{Base: e, Disp: 12}, later)
	CMPQ(later, n)
	JGE(LabelRef("asked"))
	MOVL(Mem{Base: index, Index: later, Scale: 4}, at.As32())
	IMULQ(stride, at)
	for i := range lines {
		PREFETCHT0(Mem{Base: p, Index: at, Scale: 1, Disp: 64 * i})
	}
	Label("asked")
}

// chunks goes along rows of n numbers, eight at a time.
func chunks(label string, n, mask Register, do func(at Register, rest bool)) {
	at, left := GP64(), GP64()
	XORQ(at, at)
	MOVQ(n, left)
	Label(label)
	CMPQ(left, Imm(8))
	JLT(LabelRef(label + "Rest"))
	do(at, false)
	ADDQ(Imm(32), at)
	SUBQ(Imm(8), left)
	JMP(LabelRef(label))
	Label(label + "Rest")
	TESTQ(left, left)
	JZ(LabelRef(label + "Done"))
	do(at, true)
	Label(label + "Done")
}

// restOf makes the mask of what rows of n numbers have beyond eights.
func restOf(n Register) VecVirtual {
	mask, rest := YMM(), GP64()
	MOVQ(n, rest)
	ANDQ(Imm(7), rest)
	tail(rest, mask)
	return mask
}

// get loads numbers; of a rest, those of a mask, which is a vector or, with AVX-512, a register of masks.
func get(m Mem, mask Register, rest bool, to VecVirtual) {
	if rest && IsK(mask) {
		VMOVUPS_Z(m, mask, to)
	} else if rest {
		VMASKMOVPS(m, mask, to)
	} else {
		VMOVUPS(m, to)
	}
}

// put stores what get loads. Some processors take ten times as long by a vector as by a register of masks.
func put(x VecVirtual, m Mem, mask Register, rest bool) {
	if rest && IsK(mask) {
		VMOVUPS(x, mask, m)
	} else if rest {
		VMASKMOVPS(x, mask, m)
	} else {
		VMOVUPS(x, m)
	}
}

// binaries are functions of two rows each, whose places indices may name.
func binaries() {
	for _, op := range binaryOps() {
		function(op.name+"RowsAVX2", "func(to, x *float32, xIndex *uint32, y *float32, yIndex *uint32, n, width int)")
		Doc("computes n rows of two rows each; no index means row after row.")
		to, x, xi, y, yi := load("to"), load("x"), load("xIndex"), load("y"), load("yIndex")
		n, width := load("n"), load("width")
		mask := restOf(width)
		stride := GP64()
		MOVQ(width, stride)
		SHLQ(Imm(2), stride)
		e := GP64()
		XORQ(e, e)
		a, b := YMM(), YMM()
		numbersAt(op, to, x, xi, y, yi, n, width, e)
		Label("row")
		CMPQ(e, n)
		JGE(LabelRef("end"))
		px, py := rowAt("x", x, xi, e, stride), rowAt("y", y, yi, e, stride)
		chunks("column", width, mask, func(at Register, rest bool) {
			get(Mem{Base: px, Index: at, Scale: 1}, mask, rest, a)
			get(Mem{Base: py, Index: at, Scale: 1}, mask, rest, b)
			op.emit(a, b, a)
			put(a, Mem{Base: to, Index: at, Scale: 1}, mask, rest)
		})
		ADDQ(stride, to)
		INCQ(e)
		JMP(LabelRef("row"))
		Label("end")
		VZEROUPPER()
		RET()
	}
}

// numbersAt computes rows of one number, eight at a time, and rows of eight; it leaves to others what is left.
func numbersAt(op binaryOp, to, x, xi, y, yi, n, width, e Register) {
	a, b, at := YMM(), YMM(), GP64()
	CMPQ(width, Imm(8))
	JE(LabelRef("vector"))
	CMPQ(width, Imm(1))
	JNE(LabelRef("row"))
	Label("eight")
	LEAQ(Mem{Base: e, Disp: 8}, at)
	CMPQ(at, n)
	JG(LabelRef("row"))
	eightNumbers("xNumbers", x, xi, e, a)
	eightNumbers("yNumbers", y, yi, e, b)
	op.emit(a, b, a)
	VMOVUPS(a, Mem{Base: to})
	ADDQ(Imm(32), to)
	ADDQ(Imm(8), e)
	JMP(LabelRef("eight"))
	Label("vector")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	for _, of := range []struct {
		label    string
		p, index Register
		to       VecVirtual
	}{{"xVector", x, xi, a}, {"yVector", y, yi, b}} {
		MOVQ(e, at)
		TESTQ(of.index, of.index)
		JZ(LabelRef(of.label))
		MOVL(Mem{Base: of.index, Index: e, Scale: 4}, at.As32())
		Label(of.label)
		SHLQ(Imm(5), at)
		VMOVUPS(Mem{Base: of.p, Index: at, Scale: 1}, of.to)
	}
	op.emit(a, b, a)
	VMOVUPS(a, Mem{Base: to})
	ADDQ(Imm(32), to)
	INCQ(e)
	JMP(LabelRef("vector"))
}

// eightNumbers loads the numbers that an index names, or those that follow each other.
func eightNumbers(label string, p, index, e Register, to VecVirtual) {
	places, all := YMM(), YMM()
	TESTQ(index, index)
	JZ(LabelRef(label))
	VMOVDQU(Mem{Base: index, Index: e, Scale: 4}, places)
	VPCMPEQD(all, all, all)
	VGATHERDPS(all, Mem{Base: p, Index: places, Scale: 4}, to)
	JMP(LabelRef(label + "There"))
	Label(label)
	VMOVUPS(Mem{Base: p, Index: e, Scale: 4}, to)
	Label(label + "There")
}

// scaleParts multiplies parts of rows by a number each.
func scaleParts() {
	for _, isa := range []string{"AVX2", "AVX512"} {
		scalePartsBy(isa)
	}
}

func scalePartsBy(isa string) {
	function("scaleParts"+isa, "func(to, x, s *float32, rows, parts, part int)")
	Doc("multiplies so many parts of as many numbers by a number each, and does so with x again for each row.")
	to, s, rows, part := load("to"), load("s"), load("rows"), load("part")
	mask := restMask(isa, part)
	stride := bytes("part")
	x, n, f, a := GP64(), GP64(), YMM(), YMM()
	Label("row")
	TESTQ(rows, rows)
	JZ(LabelRef("end"))
	DECQ(rows)
	Load(Param("x"), x)
	Load(Param("parts"), n)
	CMPQ(part, Imm(8))
	JNE(LabelRef("part"))
	Label("eight")
	TESTQ(n, n)
	JZ(LabelRef("row"))
	VBROADCASTSS(Mem{Base: s}, f)
	VMULPS(Mem{Base: x}, f, f)
	VMOVUPS(f, Mem{Base: to})
	for _, p := range []Register{to, x} {
		ADDQ(Imm(32), p)
	}
	ADDQ(Imm(4), s)
	DECQ(n)
	JMP(LabelRef("eight"))
	Label("part")
	TESTQ(n, n)
	JZ(LabelRef("row"))
	VBROADCASTSS(Mem{Base: s}, f)
	chunks("column", part, mask, func(at Register, rest bool) {
		get(Mem{Base: x, Index: at, Scale: 1}, mask, rest, a)
		VMULPS(f, a, a)
		put(a, Mem{Base: to, Index: at, Scale: 1}, mask, rest)
	})
	ADDQ(stride, to)
	ADDQ(stride, x)
	ADDQ(Imm(4), s)
	DECQ(n)
	JMP(LabelRef("part"))
	Label("end")
	VZEROUPPER()
	RET()
}

// addScaled adds rows whose parts go with a number each to others, and further ones where there are any. Products are
// rounded before they are added.
func addScaled() {
	for _, isa := range []string{"AVX2", "AVX512"} {
		addScaledBy(isa)
	}
}

func addScaledBy(isa string) {
	function("addScaled"+isa, "func(to, x, s, y, more *float32, rows, parts, part, xBack, yBack, moreBack int)")
	Doc("adds x, so many parts of which go with a number each, to y, and more to that; goes back so many bytes behind each row.")
	to, s, rows, part, n := load("to"), load("s"), load("rows"), load("part"), GP64()
	from := map[string]GPVirtual{}
	names := []string{"x", "y", "more"}
	for _, name := range names {
		from[name] = load(name)
	}
	mask := restMask(isa, part)
	stride, f, a := bytes("part"), YMM(), YMM()
	compute := func(label string, at Register, rest bool) {
		place := func(p Register) Mem {
			if at == nil {
				return Mem{Base: p}
			}
			return Mem{Base: p, Index: at, Scale: 1}
		}
		get(place(from["x"]), mask, rest, a)
		VMULPS(f, a, a)
		b := YMM()
		get(place(from["y"]), mask, rest, b)
		VADDPS(b, a, a)
		more := load("more")
		TESTQ(more, more)
		JZ(LabelRef(label))
		get(place(from["more"]), mask, rest, b)
		VADDPS(b, a, a)
		Label(label)
		put(a, place(to), mask, rest)
	}
	Label("row")
	TESTQ(rows, rows)
	JZ(LabelRef("end"))
	DECQ(rows)
	Load(Param("parts"), n)
	Label("part")
	VBROADCASTSS(Mem{Base: s}, f)
	CMPQ(part, Imm(8))
	JNE(LabelRef("columns"))
	compute("eight", nil, false)
	JMP(LabelRef("next"))
	Label("columns")
	chunks("column", part, mask, func(at Register, rest bool) {
		label := "some"
		if rest {
			label = "rest"
		}
		compute(label, at, rest)
	})
	Label("next")
	ADDQ(stride, to)
	for _, name := range names {
		ADDQ(stride, from[name])
	}
	ADDQ(Imm(4), s)
	DECQ(n)
	JNZ(LabelRef("part"))
	for _, name := range names {
		SUBQ(load(name+"Back"), from[name])
	}
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// restMask is the mask of what rows of n numbers have beyond eights, as the instructions have it.
func restMask(isa string, n Register) Register {
	if isa == "AVX2" {
		return restOf(n)
	}
	rest := GP64()
	MOVQ(n, rest)
	ANDQ(Imm(7), rest)
	return first(rest, 8)
}

// sumScaled adds rows up whose parts go with a number each. Products are rounded before they are added.
func sumScaled() {
	function("sumScaledAVX2", "func(sum, x, s *float32, n, parts, part int)")
	Doc("adds n rows to one, so many parts of which go with a number each.")
	sum, x, s, k, part := load("sum"), load("x"), load("s"), load("parts"), load("part")
	mask := restOf(part)
	stride, scales := GP64(), bytes("parts")
	MOVQ(scales, stride)
	IMULQ(part, stride)
	from, scale, e, f := GP64(), GP64(), GP64(), YMM()
	eachRow := func(label string, at func(), do func()) {
		at()
		MOVQ(s, scale)
		Load(Param("n"), e)
		Label(label)
		do()
		ADDQ(stride, from)
		ADDQ(scales, scale)
		DECQ(e)
		JNZ(LabelRef(label))
	}
	const together = 4 // sums that do not wait for each other
	Label("fours")
	CMPQ(part, Imm(8))
	JNE(LabelRef("part"))
	CMPQ(k, Imm(together))
	JLT(LabelRef("part"))
	var all [together]VecVirtual
	for i := range all {
		all[i] = YMM()
		VMOVUPS(Mem{Base: sum, Disp: 32 * i}, all[i])
	}
	eachRow("fourRows", func() { MOVQ(x, from) }, func() {
		for i, to := range all {
			VBROADCASTSS(Mem{Base: scale, Disp: 4 * i}, f)
			VMULPS(Mem{Base: from, Disp: 32 * i}, f, f)
			VADDPS(f, to, to)
		}
	})
	for i := range all {
		VMOVUPS(all[i], Mem{Base: sum, Disp: 32 * i})
	}
	for _, p := range []Register{sum, x} {
		ADDQ(U32(32*together), p)
	}
	ADDQ(Imm(4*together), s)
	SUBQ(Imm(together), k)
	JMP(LabelRef("fours"))
	Label("part")
	TESTQ(k, k)
	JZ(LabelRef("end"))
	to, a := YMM(), YMM()
	chunks("column", part, mask, func(at Register, rest bool) {
		label := "rows"
		if rest {
			label = "restRows"
		}
		get(Mem{Base: sum, Index: at, Scale: 1}, mask, rest, to)
		eachRow(label, func() { LEAQ(Mem{Base: x, Index: at, Scale: 1}, from) }, func() {
			VBROADCASTSS(Mem{Base: scale}, f)
			get(Mem{Base: from}, mask, rest, a)
			VMULPS(f, a, a)
			VADDPS(a, to, to)
		})
		put(to, Mem{Base: sum, Index: at, Scale: 1}, mask, rest)
	})
	LEAQ(Mem{Base: sum, Index: part, Scale: 4}, sum)
	LEAQ(Mem{Base: x, Index: part, Scale: 4}, x)
	ADDQ(Imm(4), s)
	DECQ(k)
	JMP(LabelRef("part"))
	Label("end")
	VZEROUPPER()
	RET()
}

// dotParts is the sums of products of parts: eight sums of every eighth product, which are added up by pairs.
func dotParts() {
	function("dotPartsAVX2", "func(to, x *float32, xIndex *uint32, y *float32, yIndex *uint32, n, parts, part int)")
	Doc("computes for n pairs of rows the scalar products of their parts.")
	to, x, xi, y, yi, n := load("to"), load("x"), load("xIndex"), load("y"), load("yIndex"), load("n")
	parts, part := load("parts"), load("part")
	mask := restOf(part)
	stride := GP64()
	MOVQ(parts, stride)
	IMULQ(part, stride)
	SHLQ(Imm(2), stride)
	e, k := GP64(), GP64()
	XORQ(e, e)
	Label("row")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	px, py := rowAt("x", x, xi, e, stride), rowAt("y", y, yi, e, stride)
	MOVQ(parts, k)
	CMPQ(part, Imm(8))
	JNE(LabelRef("general"))
	CMPQ(k, Imm(8))
	JLT(LabelRef("general"))
	Label("eights") // eight parts of eight: their sums are added up side by side
	var sums []VecVirtual
	for i := range 8 {
		s := YMM()
		VMOVUPS(Mem{Base: px, Disp: 32 * i}, s)
		VMULPS(Mem{Base: py, Disp: 32 * i}, s, s)
		sums = append(sums, s)
		if i%2 == 1 {
			VHADDPS(sums[i], sums[i-1], sums[i-1])
		}
		if i%4 == 3 {
			VHADDPS(sums[i-1], sums[i-3], sums[i-3])
		}
	}
	low := YMM()
	VPERM2F128(Imm(0x20), sums[4], sums[0], low)
	VPERM2F128(Imm(0x31), sums[4], sums[0], sums[0])
	VADDPS(sums[0], low, low)
	VMOVUPS(low, Mem{Base: to})
	ADDQ(Imm(32), to)
	ADDQ(U32(256), px)
	ADDQ(U32(256), py)
	SUBQ(Imm(8), k)
	CMPQ(k, Imm(8))
	JGE(LabelRef("eights"))
	Label("general")
	TESTQ(k, k)
	JZ(LabelRef("next"))
	sum, a, b := YMM(), YMM(), YMM()
	VXORPS(sum, sum, sum)
	chunks("column", part, mask, func(at Register, rest bool) {
		get(Mem{Base: px, Index: at, Scale: 1}, mask, rest, a)
		get(Mem{Base: py, Index: at, Scale: 1}, mask, rest, b)
		VFMADD231PS(a, b, sum)
	})
	VHADDPS(sum, sum, sum)
	VHADDPS(sum, sum, sum)
	high := XMM()
	VEXTRACTF128(Imm(1), sum, high)
	VADDSS(high, sum.AsX(), high)
	VMOVSS(high, Mem{Base: to})
	ADDQ(Imm(4), to)
	LEAQ(Mem{Base: px, Index: part, Scale: 4}, px)
	LEAQ(Mem{Base: py, Index: part, Scale: 4}, py)
	DECQ(k)
	JMP(LabelRef("general"))
	Label("next")
	INCQ(e)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// maxRows finds the largest of rows, number by number.
func maxRows() {
	function("maxRowsAVX2", "func(to, x *float32, index *uint32, n, width int)")
	Doc("makes each number the largest of itself and those of n rows.")
	to, x, index, n, width := load("to"), load("x"), load("index"), load("n"), load("width")
	mask := restOf(width)
	stride := GP64()
	MOVQ(width, stride)
	SHLQ(Imm(2), stride)
	most, a := YMM(), YMM()
	chunks("column", width, mask, func(at Register, rest bool) {
		label := "row"
		if rest {
			label = "restRow"
		}
		from, e := GP64(), GP64()
		LEAQ(Mem{Base: x, Index: at, Scale: 1}, from)
		XORQ(e, e)
		get(Mem{Base: to, Index: at, Scale: 1}, mask, rest, most)
		Label(label)
		CMPQ(e, n)
		JGE(LabelRef(label + "End"))
		p := rowAt(label+"At", from, index, e, stride)
		get(Mem{Base: p}, mask, rest, a)
		VMAXPS(a, most, most)
		INCQ(e)
		JMP(LabelRef(label))
		Label(label + "End")
		put(most, Mem{Base: to, Index: at, Scale: 1}, mask, rest)
	})
	VZEROUPPER()
	RET()
}

// scatter adds multiples of one row to rows of a matrix.
func scatter() {
	function("scatterAVX2", "func(sum *float32, index *uint32, scale *float32, n int, row *float32, width int)")
	Doc("adds to n rows of a matrix a row, times a number each.")
	sum, index, scale, n, row, width := load("sum"), load("index"), load("scale"), load("n"), load("row"), load("width")
	mask := restOf(width)
	stride := GP64()
	MOVQ(width, stride)
	SHLQ(Imm(2), stride)
	s, a, b := YMM(), YMM(), YMM()
	e := GP64()
	XORQ(e, e)
	Label("next")
	CMPQ(e, n)
	JGE(LabelRef("end"))
	VBROADCASTSS(Mem{Base: scale, Index: e, Scale: 4}, s)
	to := GP64()
	MOVL(Mem{Base: index, Index: e, Scale: 4}, to.As32())
	IMULQ(stride, to)
	ADDQ(sum, to)
	chunks("column", width, mask, func(at Register, rest bool) {
		get(Mem{Base: to, Index: at, Scale: 1}, mask, rest, a)
		get(Mem{Base: row, Index: at, Scale: 1}, mask, rest, b)
		VFMADD231PS(s, b, a)
		put(a, Mem{Base: to, Index: at, Scale: 1}, mask, rest)
	})
	INCQ(e)
	JMP(LabelRef("next"))
	Label("end")
	VZEROUPPER()
	RET()
}
