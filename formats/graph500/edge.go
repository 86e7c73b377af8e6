package graph500

import "math/bits"

// Probabilities of the quadrants as fractions of 2^32: A = 0.57, B = 0.19, C = 0.19,
// summed up. The rest, 0.05, is the fourth.
const (
	uptoA = 57 << 32 / 100
	uptoB = (57 + 19) << 32 / 100
	uptoC = (57 + 19 + 19) << 32 / 100
)

// edgeDraw makes edges from their numbers.
type edgeDraw struct {
	scale   int
	key     uint64
	uniform bool
	permute permutation
}

func newEdgeDraw(opts Options) edgeDraw {
	return edgeDraw{
		scale: opts.Scale, key: mix(opts.Seed), uniform: opts.Kind == Uniform,
		permute: newPermutation(opts.Scale, opts.Seed),
	}
}

func (d *edgeDraw) edge(number uint64) (src, dst int64, weight float64) {
	r := random{state: mix(d.key ^ mix(number))}
	var from, to uint64
	if d.uniform {
		mask := uint64(1)<<d.scale - 1
		from, to = r.next()&mask, r.next()&mask
	} else {
		from, to = r.rmat(d.scale)
		from, to = d.permute.apply(from), d.permute.apply(to)
	}
	above, _ := bits.Mul64(r.next(), maxWeight)
	return int64(from), int64(to), float64(1 + above)
}

// random is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// mix is a bijection of 64 bits, SplitMix64's finalizer.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rmat descends scale times; one draw serves two levels.
func (r *random) rmat(scale int) (from, to uint64) {
	for level := 0; level < scale; level += 2 {
		x := r.next()
		from, to = descend(from, to, x>>32)
		if level+1 < scale {
			from, to = descend(from, to, x&(1<<32-1))
		}
	}
	return from, to
}

// descend appends one bit to either end; the quadrants in order are 00, 01, 10, 11.
func descend(from, to, x uint64) (uint64, uint64) {
	quadrant := atLeast(x, uptoA) + atLeast(x, uptoB) + atLeast(x, uptoC)
	return from<<1 | quadrant>>1, to<<1 | quadrant&1
}

// atLeast is 1 when x >= bound, without a branch; both are below 2^32.
func atLeast(x, bound uint64) uint64 { return 1 - (x-bound)>>63 }
