package graph500

// permutation is a bijection of [0, 2^scale) that depends on a seed. Each round adds,
// multiplies by an odd number and folds the high bits onto the low ones: three steps
// that can each be undone modulo 2^scale.
type permutation struct {
	mask      uint64
	fold      int
	add, odds [permutationRounds]uint64
}

const permutationRounds = 3

func newPermutation(scale int, seed uint64) permutation {
	p := permutation{mask: 1<<scale - 1, fold: max(1, (scale+1)/2)}
	r := random{state: mix(^seed)}
	for i := range permutationRounds {
		p.add[i], p.odds[i] = r.next(), r.next()|1
	}
	return p
}

func (p *permutation) apply(x uint64) uint64 {
	for i := range permutationRounds {
		x = (x + p.add[i]) * p.odds[i] & p.mask
		x ^= x >> p.fold
	}
	return x
}
