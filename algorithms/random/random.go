package random

import "math/bits"

// Draws are random numbers, one after the other (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
type Draws struct{ state uint64 }

// New begins a sequence of its own for each seed and whole numbers.
func New(seed int64, of ...int64) Draws {
	state := Mix(seed, 0)
	for _, x := range of {
		state = Mix(x, state)
	}
	return Draws{state}
}

// Next is 64 random bits.
func (d *Draws) Next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	return Mix(int64(d.state), 0)
}

// Below is a number from 0 up to n-1.
func (d *Draws) Below(n int) int {
	high, _ := bits.Mul64(d.Next(), uint64(n))
	return int(high)
}

// Share is a number from 0 up to, but not including, 1.
func (d *Draws) Share() float64 { return float64(d.Next()>>11) * 0x1p-53 }

// Mix scatters ids: SplitMix64's finisher, under which no two collide. (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", 2014.)
func Mix(id int64, seed uint64) uint64 {
	x := uint64(id) + seed*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
