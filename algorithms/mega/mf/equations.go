package mf

import "math"

// equations are A x = b for a vertex. Of A, which is symmetric, the lower half is kept, row after row.
type equations struct {
	n       int // unknowns
	matrix  []float64
	right   []float64
	many    int               // x that were added
	waiting [together]waiting // to be brought to the matrix
}

// waiting is an x, so many of which are brought to the matrix at once: its numbers are then loaded and stored the fewer
// times. What is added up, and in which order, depends on them and their order alone.
type waiting []float64

const together = 4

func newEquations(n int) equations {
	e := equations{n: n, matrix: make([]float64, n*(n+1)/2), right: make([]float64, n)}
	for i := range e.waiting {
		e.waiting[i] = make([]float64, n)
	}
	return e
}

func (e *equations) reset() {
	clear(e.matrix)
	clear(e.right)
	e.many = 0
}

func (e *equations) row(i int) []float64 { return e.matrix[i*(i+1)/2:][:i+1] }

// next is where to put an x whose x xᵀ is added to the matrix by added.
func (e *equations) next() waiting { return e.waiting[e.many%together] }

func (e *equations) added() {
	if e.many++; e.many%together == 0 {
		e.bring()
	}
}

// bring adds the x xᵀ of all that waits to the matrix.
func (e *equations) bring() {
	a, b, c, d := e.waiting[0], e.waiting[1], e.waiting[2], e.waiting[3]
	at := 0
	for i := range e.n {
		row := e.matrix[at:][:i+1]
		at += i + 1
		ai, bi, ci, di := a[i], b[i], c[i], d[i]
		aj, bj, cj, dj := a[:len(row)], b[:len(row)], c[:len(row)], d[:len(row)]
		for j := range row {
			row[j] += ai*aj[j] + bi*bj[j] + ci*cj[j] + di*dj[j]
		}
	}
}

// finish brings what still waits.
func (e *equations) finish() {
	if e.many%together == 0 {
		return
	}
	for k := e.many % together; k < together; k++ {
		clear(e.waiting[k])
	}
	e.bring()
}

// solve solves them by Cholesky's decomposition, in place, until they are reset. gained is bᵀ x.
func (e *equations) solve() (x []float64, gained float64) {
	x = e.right
	for i := range e.n {
		row := e.row(i)
		for j := range i {
			other := e.row(j)
			row[j] = (row[j] - dot(row[:j], other[:j])) / other[j]
		}
		// Without penalty a vertex may have fewer ratings than unknowns; those that are left open are 0.
		row[i] = math.Sqrt(math.Max(row[i]-dot(row[:i], row[:i]), 1e-12))
		x[i] = (x[i] - dot(row[:i], x[:i])) / row[i]
	}
	// L y = b, and bᵀ x is yᵀ y.
	gained = dot(x, x)
	for i := e.n - 1; i >= 0; i-- {
		x[i] /= e.row(i)[i]
		for j := range i {
			x[j] -= e.row(i)[j] * x[i]
		}
	}
	return x, gained
}
