package linear

import "math"

// Samples are what Newton goes along. Samples and features are vertices, by their numbers.
type Samples struct {
	Labels []float32 // of vertices: y, or NaN of one that is not learned from
	// Each calls do with values x of features of a sample, which are numbered from base on. A sample may come several
	// times.
	Each func(do func(sample, base int, features []uint32, x []float64))
}

// known is Each of those that are learned from, with y.
func (s Samples) known(do func(sample int, y float64, base int, features []uint32, x []float64)) {
	s.Each(func(sample, base int, features []uint32, x []float64) {
		if y := float64(s.Labels[sample]); y == y {
			do(sample, y, base, features, x)
		}
	})
}

// start makes margins those of weights of 0. They are infinite where a vertex is not learned from: then its loss is 0,
// and so is all else that goes by its margin.
func (s Samples) start(margins []float64) []float64 {
	for i, y := range s.Labels {
		if margins[i] = 0; y != y {
			margins[i] = math.Inf(1)
		}
	}
	return margins
}

// margins are y w·x.
func (s Samples) margins(w, margins []float64) []float64 {
	s.start(margins)
	s.known(func(sample int, y float64, base int, features []uint32, x []float64) {
		of, sum := w[base:], 0.0
		for i, j := range features {
			sum += of[j] * x[i]
		}
		margins[sample] += y * sum
	})
	return margins
}

// slopes are Σ β y x of features.
func (s Samples) slopes(beta, slopes []float64) []float64 {
	clear(slopes)
	s.known(func(sample int, y float64, base int, features []uint32, x []float64) {
		of, times := slopes[base:], y*beta[sample]
		for i, j := range features {
			of[j] += times * x[i]
		}
	})
	return slopes
}

// matrix has the values z = y x of a few features, sample by sample.
type matrix struct {
	width   int
	offsets []int    // of each vertex: where its values begin, and those of the last end
	at      []uint32 // of each value: of which of the features
	z       []float32
}

// pick picks the values of free features. place has room for a number of each vertex, and used is a matrix that is not
// needed any more.
func (s Samples) pick(free []freed, place []float64, used matrix) matrix {
	for i := range place {
		place[i] = -1
	}
	for k, u := range free {
		place[u.feature] = float64(k)
	}
	n := len(s.Labels)
	a := matrix{len(free), make([]int, n+2), used.at, used.z}
	next := a.offsets[1:] // where the next value of a sample goes: in the end, where those of the sample after it begin
	s.known(func(sample int, _ float64, base int, features []uint32, _ []float64) {
		for _, j := range features {
			if place[base+int(j)] >= 0 {
				next[sample+1]++
			}
		}
	})
	for i := range n {
		next[i+1] += next[i]
	}
	if values := next[n]; values <= cap(a.at) {
		a.at, a.z = a.at[:values], a.z[:values]
	} else {
		a.at, a.z = make([]uint32, values), make([]float32, values)
	}
	s.known(func(sample int, y float64, base int, features []uint32, x []float64) {
		for i, j := range features {
			if k := place[base+int(j)]; k >= 0 {
				a.at[next[sample]], a.z[next[sample]] = uint32(k), float32(y*x[i])
				next[sample]++
			}
		}
	})
	return a
}

// each calls do with the values of each sample that has some.
func (a matrix) each(do func(sample int, at []uint32, z []float32)) {
	for sample := range len(a.offsets) - 2 {
		if from, end := a.offsets[sample], a.offsets[sample+1]; from < end {
			do(sample, a.at[from:end], a.z[from:end])
		}
	}
}

// add adds z·d to the number of each sample.
func (a matrix) add(d, to []float64) {
	a.each(func(sample int, at []uint32, z []float32) { to[sample] += dot(d, at, z) })
}

// times makes to z·d of each sample.
func (a matrix) times(d, to []float64) {
	clear(to)
	a.add(d, to)
}

// back is Σ q z of each feature, with a number q of each sample.
func (a matrix) back(q []float64) []float64 {
	sums := make([]float64, a.width)
	a.each(func(sample int, at []uint32, z []float32) { add(sums, at, z, q[sample]) })
	return sums
}

// diagonal is Σ q z² of each feature.
func (a matrix) diagonal(q []float64) []float64 {
	sums := make([]float64, a.width)
	a.each(func(sample int, at []uint32, z []float32) {
		for i, k := range at {
			sums[k] += q[sample] * float64(z[i]) * float64(z[i])
		}
	})
	return sums
}

// gramFeatures is how many features a gram has at the most.
const gramFeatures = 512

// gram is Σ q z zᵀ, if that is of use to multiply by: of few features, and of samples that have few of them; else nil.
func (a matrix) gram(q []float64) []float64 {
	const each = 64
	pairs := 0
	a.each(func(_ int, at []uint32, _ []float32) { pairs += len(at) * len(at) })
	if a.width > gramFeatures || pairs > each*len(a.at) {
		return nil
	}
	sums := make([]float64, a.width*a.width)
	a.each(func(sample int, at []uint32, z []float32) {
		for i, k := range at { // a pair once, in whichever order
			add(sums[int(k)*a.width:], at[:i+1], z[:i+1], q[sample]*float64(z[i]))
		}
	})
	for i := range a.width {
		for j := range i {
			both := sums[i*a.width+j] + sums[j*a.width+i]
			sums[i*a.width+j], sums[j*a.width+i] = both, both
		}
	}
	return sums
}
