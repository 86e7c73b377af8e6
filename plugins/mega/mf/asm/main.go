//go:build ignore

// Main writes the kernels that go along ratings of a user.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Most is of how many vectors factors are at the most.
const most = 4

func main() {
	ConstraintExpr("amd64")
	for vectors := 1; vectors <= most; vectors++ {
		kernel{wide: true, vectors: vectors}.write()
	}
	for vectors := 1; vectors <= most; vectors++ {
		kernel{vectors: vectors}.write()
	}
	Generate()
}

// kernel is one for factors of so many vectors, the last of which may be a part.
type kernel struct {
	wide    bool // of 16 numbers, else of 8
	vectors int
	mask    Register
}

func (k *kernel) lanes() int {
	if k.wide {
		return 16
	}
	return 8
}

func (k *kernel) vector() VecVirtual {
	if k.wide {
		return ZMM()
	}
	return YMM()
}

// at is vector v of the factors of a row.
func (k *kernel) at(row Register, v int) Mem { return Mem{Base: row, Disp: 8 + 4*k.lanes()*v} }

func (k *kernel) load(row Register, v int) VecVirtual {
	x := k.vector()
	switch last := v == k.vectors-1; {
	case last && k.wide:
		VMOVUPS_Z(k.at(row, v), k.mask, x)
	case last:
		VMASKMOVPS(k.at(row, v), k.mask, x)
	default:
		VMOVUPS(k.at(row, v), x)
	}
	return x
}

func (k *kernel) store(x VecVirtual, row Register, v int) {
	switch last := v == k.vectors-1; {
	case last && k.wide:
		VMOVUPS(x, k.mask, k.at(row, v))
	case last:
		VMASKMOVPS(x, k.mask, k.at(row, v))
	default:
		VMOVUPS(x, k.at(row, v))
	}
}

// constants are where a struct of that name has four of each number, then the mean and the loss.
func constants(c Register) (rate, lambda, rho, bias, inverse, mean, loss Mem) {
	at := func(i int) Mem { return Mem{Base: c, Disp: 16 * i} }
	return at(0), at(1), at(2), at(3), at(4), at(5), Mem{Base: c, Disp: 88}
}

func (k kernel) write() {
	isa := "AVX2"
	if k.wide {
		isa = "AVX512"
	}
	TEXT(fmt.Sprintf("along%d%s", k.vectors, isa), NOSPLIT,
		"func(c, u *float32, targets, ratings *uint32, mirrors *float32, n, ahead, width, rank int)")
	Doc(fmt.Sprintf("goes along n ratings of u, factors being of %d vectors. Targets there are as many as ahead.", k.vectors))
	pointer := func(name string) Register { return Load(Param(name), GP64()) }
	c, u, targets, ratings, mirrors := pointer("c"), pointer("u"), pointer("targets"), pointer("ratings"), pointer("mirrors")
	n, ahead, stride, tail := pointer("n"), pointer("ahead"), pointer("width"), pointer("rank")
	SHLQ(Imm(2), stride)
	k.tail(tail)
	SHLQ(Imm(2), tail)
	ADDQ(Imm(8), tail)
	rate, lambda, rho, bias, inverse, mean, lossAt := constants(c)
	p := make([]VecVirtual, k.vectors) // in registers, where there are enough
	if k.wide {
		for v := range p {
			p[v] = k.load(u, v)
		}
	}
	mine, squares, loss, further := XMM(), XMM(), XMM(), XMM() // [share, bias], [of factors, of the bias], and [√m, √m]
	furtherAt := Mem{Base: u, Index: tail, Scale: 1, Disp: 8}
	VMOVSD(Mem{Base: u}, mine)
	VMOVSD(Mem{Base: u, Index: tail, Scale: 1}, squares)
	if k.wide {
		VMOVSD(furtherAt, further)
	}
	VXORPD(loss, loss, loss)
	i := GP64()
	XORQ(i, i)

	Label("rating")
	row := GP64()
	MOVL(Mem{Base: targets, Index: i, Scale: 4}, row.As32())
	IMULQ(stride, row)
	ADDQ(mirrors, row)
	k.fetch(targets, mirrors, stride, ahead, i)

	// The product comes first, for all else waits for it.
	q := make([]VecVirtual, k.vectors)
	product := k.vector()
	for v := range q {
		if !k.wide {
			p[v] = k.load(u, v)
		}
		q[v] = k.load(row, v)
		if v == 0 {
			VMULPS(p[v], q[v], product)
		} else {
			VFMADD231PS(p[v], q[v], product)
		}
	}
	pq := k.sum(product)

	// Of both ends at once: [user's factors, user's bias, item's factors, item's bias].
	other, heads, sums := XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: row}, other)
	VMOVLHPS(other, mine, heads)
	VMOVUPS(Mem{Base: row, Index: tail, Scale: 1}, other)
	VMOVLHPS(other, squares, sums)
	steps, numbers := XMM(), XMM()
	VSQRTPS(sums, steps)
	if !k.wide { // there are 16 registers
		further = XMM()
		VMOVSD(furtherAt, further)
	}
	VBLENDPS(Imm(0b1100), other, further, numbers)
	VMULPS(rate, numbers, numbers)
	VDIVPS(steps, numbers, steps)
	shares, doubt := XMM(), XMM()
	VMULPS(lambda, heads, shares)
	VADDPS(rho, shares, numbers)
	VMULPS(rho, shares, doubt)
	VDIVPS(numbers, doubt, doubt)
	VPERMILPS(Imm(0b01001110), doubt, doubt)
	VADDPS(doubt, shares, shares)

	e := XMM()
	VPERMILPS(Imm(0b01001110), heads, numbers)
	VADDPS(heads, numbers, numbers)
	VMOVSHDUP(numbers, numbers)
	VMOVSS(Mem{Base: ratings, Index: i, Scale: 4}, e)
	VSUBSS(mean, e, e)
	VSUBSS(numbers, e, e)
	VSUBSS(pq, e, e)
	VXORPD(numbers, numbers, numbers)
	VCVTSS2SD(e, numbers, numbers)
	VFMADD231SD(numbers, numbers, loss)
	all := k.vector()
	VBROADCASTSS(e, all)

	// Biases.
	VMOVSLDUP(heads, numbers)
	VMULPS(heads, numbers, numbers)
	VMULPS(bias, numbers, numbers)
	VSUBPS(all.AsX(), numbers, numbers)
	VMULPS(steps, numbers, other)
	VSUBPS(other, heads, other)
	VBLENDPS(Imm(0b1010), other, heads, mine)
	VMOVHPS(mine, Mem{Base: row})
	VMULPS(numbers, numbers, numbers) // squares of biases

	// Factors.
	spread := func(from VecVirtual, lane uint64) VecVirtual {
		to := k.vector()
		if lane == 0 {
			VBROADCASTSS(from, to)
			return to
		}
		VPERMILPS(Imm(lane|lane<<2|lane<<4|lane<<6), from, to.AsX())
		VBROADCASTSS(to.AsX(), to)
		return to
	}
	lu, lv, ru, rv := spread(shares, 0), spread(shares, 2), spread(steps, 0), spread(steps, 2)
	squaresP, squaresQ := k.vector(), k.vector()
	for v := range q {
		if !k.wide {
			p[v], q[v] = k.load(u, v), k.load(row, v)
		}
		gp, gq := k.vector(), k.vector()
		VMULPS(lu, p[v], gp)
		VFNMADD231PS(q[v], all, gp)
		VMULPS(lv, q[v], gq)
		VFNMADD231PS(p[v], all, gq)
		VFNMADD231PS(gp, ru, p[v])
		VFNMADD231PS(gq, rv, q[v])
		k.store(q[v], row, v)
		if !k.wide {
			k.store(p[v], u, v)
		}
		if v == 0 {
			VMULPS(gp, gp, squaresP)
			VMULPS(gq, gq, squaresQ)
		} else {
			VFMADD231PS(gp, gp, squaresP)
			VFMADD231PS(gq, gq, squaresQ)
		}
	}
	both := k.sums(squaresP, squaresQ)
	VMULPS(inverse, both, both)
	VUNPCKLPS(both, both, both)
	VBLENDPS(Imm(0b1010), numbers, both, both)
	VADDPS(both, sums, squares)
	VMOVHPS(squares, Mem{Base: row, Index: tail, Scale: 1})

	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("rating"))

	if k.wide {
		for v := range p {
			k.store(p[v], u, v)
		}
	}
	VMOVSD(mine, Mem{Base: u})
	VMOVSD(squares, Mem{Base: u, Index: tail, Scale: 1})
	VADDSD(lossAt, loss, loss)
	VMOVSD(loss, lossAt)
	VZEROUPPER()
	RET()
}

// tail makes the mask of the last vector.
func (k *kernel) tail(rank Register) {
	left := GP64()
	LEAQ(Mem{Base: rank, Disp: -k.lanes() * (k.vectors - 1)}, left)
	if k.wide {
		bits, mask := GP64(), K()
		MOVQ(I32(-1), bits)
		BZHIQ(left, bits, bits)
		KMOVW(bits.As32(), mask)
		k.mask = mask
	} else {
		mask, count := YMM(), XMM()
		VMOVD(left.As32(), count)
		VPBROADCASTD(count, mask)
		VPCMPGTD(numbered(), mask, mask)
		k.mask = mask
	}
}

var eight Mem

// numbered is 0 to 7.
func numbered() Mem {
	if eight.Base == nil {
		eight = GLOBL("numbered", 8|16) // read only, no pointers
		for i := range 8 {
			DATA(4*i, U32(uint32(i)))
		}
	}
	return eight
}

// fetch has the row come that is needed some ratings later.
func (k *kernel) fetch(targets, mirrors, stride, ahead, i Register) {
	const later = 6
	row := GP64()
	LEAQ(Mem{Base: i, Disp: later}, row)
	CMPQ(row, ahead)
	JGE(LabelRef("last"))
	MOVL(Mem{Base: targets, Index: i, Scale: 4, Disp: 4 * later}, row.As32())
	IMULQ(stride, row)
	ADDQ(mirrors, row)
	for at := 0; at < 4*k.lanes()*k.vectors+24; at += 64 {
		PREFETCHT0(Mem{Base: row, Disp: at})
	}
	Label("last")
}

// half adds the halves of what is wider than eight numbers.
func (k *kernel) half(x VecVirtual) VecVirtual {
	if !k.wide {
		return x
	}
	y := YMM()
	VEXTRACTF64X4(Imm(1), x, y)
	VADDPS(x.AsY(), y, y)
	return y
}

// sum is of all numbers, in the first place.
func (k *kernel) sum(x VecVirtual) VecVirtual {
	y, z := k.half(x), XMM()
	VEXTRACTF128(Imm(1), y, z)
	VADDPS(y.AsX(), z, z)
	w := XMM()
	VPERMILPS(Imm(0b01001110), z, w)
	VADDPS(w, z, z)
	VMOVSHDUP(z, w)
	VADDSS(w, z, z)
	return z
}

// sums are of all numbers of each, in the first two places.
func (k *kernel) sums(x, y VecVirtual) VecVirtual {
	a, b := k.half(x), k.half(y)
	VHADDPS(b, a, a)
	VHADDPS(a, a, a)
	z := XMM()
	VEXTRACTF128(Imm(1), a, z)
	VADDPS(a.AsX(), z, z)
	return z
}
