package lda

// random is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
type random uint64

const golden = 0x9e3779b97f4a7c15

// startEpoch is the epoch of what is drawn before the first.
const startEpoch = -1

// newRandom draws other numbers for each seed, stream and epoch.
func newRandom(seed uint64, stream, epoch int) random {
	r := random(seed)
	r = random(r.next() + uint64(stream)*golden)
	return random(r.next() + uint64(epoch)*golden)
}

func (r *random) next() uint64 {
	*r += golden
	x := uint64(*r)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// float is a number from 0 to below 1.
func (r *random) float() float32 {
	const bits = 24
	return float32(r.next()>>(64-bits)) / (1 << bits)
}

// below is a number from 0 to below n, which is small beside 2⁶⁴.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }
