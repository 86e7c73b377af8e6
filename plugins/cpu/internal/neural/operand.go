package neural

import "github.com/penstock-db/penstock/algorithms/neural/dataflow"

// number is what is computed with: float32 to train, float64 to compare gradients.
type number interface{ ~float32 | ~float64 }

// operand is rows that a value is computed of, wherever they lie: rows one after the other; by index, as the far ends
// of edges; or one row for all.
type operand[T number] struct {
	data  []T
	index []uint32
	width int
	one   bool
}

func (o *operand[T]) row(i int) []T {
	switch {
	case o.one:
		return o.data
	case o.index != nil:
		i = int(o.index[i])
	}
	return o.data[i*o.width : (i+1)*o.width : (i+1)*o.width]
}

// unary computes rows of a unary operator.
func unary[T number](op dataflow.Op, slope float64, out []T, n, width int, x operand[T]) {
	for i := range n {
		to, from := out[i*width:(i+1)*width], x.row(i)[:width]
		switch op {
		case dataflow.Relu:
			for j, a := range from {
				to[j] = max(a, 0)
			}
		case dataflow.Positive:
			for j, a := range from {
				to[j] = 0
				if a > 0 {
					to[j] = 1
				}
			}
		case dataflow.LeakyRelu:
			for j, a := range from {
				if to[j] = a; a <= 0 {
					to[j] = a * T(slope)
				}
			}
		case dataflow.Negate:
			for j, a := range from {
				to[j] = -a
			}
		case dataflow.Stop:
			copy(to, from)
		default:
			for j, a := range from {
				to[j] = T(dataflow.Unary(op, float64(a), slope))
			}
		}
	}
}

// binary computes rows of a binary operator; each number of a narrow row goes with a part of the wide one.
func binary[T number](op dataflow.Op, out []T, n, width int, x, y operand[T]) {
	for i := range n {
		to, a, b := out[i*width:(i+1)*width], x.row(i), y.row(i)
		switch {
		case len(a) == width && len(b) == width:
			elementwise(op, to, a, b)
		case len(a) == width:
			part := width / len(b)
			for k, s := range b {
				withRight(op, to[k*part:(k+1)*part], a[k*part:(k+1)*part], s)
			}
		case len(b) == width:
			part := width / len(a)
			for k, s := range a {
				withLeft(op, to[k*part:(k+1)*part], s, b[k*part:(k+1)*part])
			}
		}
	}
}

func elementwise[T number](op dataflow.Op, to, a, b []T) {
	b = b[:len(a)]
	to = to[:len(a)]
	switch op {
	case dataflow.Add:
		for j := range a {
			to[j] = a[j] + b[j]
		}
	case dataflow.Subtract:
		for j := range a {
			to[j] = a[j] - b[j]
		}
	case dataflow.Multiply:
		for j := range a {
			to[j] = a[j] * b[j]
		}
	default:
		for j := range a {
			to[j] = T(dataflow.Binary(op, float64(a[j]), float64(b[j])))
		}
	}
}

func withRight[T number](op dataflow.Op, to, a []T, s T) {
	to = to[:len(a)]
	switch op {
	case dataflow.Multiply:
		for j := range a {
			to[j] = a[j] * s
		}
	default:
		for j := range a {
			to[j] = T(dataflow.Binary(op, float64(a[j]), float64(s)))
		}
	}
}

func withLeft[T number](op dataflow.Op, to []T, s T, b []T) {
	if op == dataflow.Multiply {
		withRight(op, to, b, s)
		return
	}
	for j := range b {
		to[j] = T(dataflow.Binary(op, float64(s), float64(b[j])))
	}
}

// masked multiplies rows of x with the factors of a dropout, where x is not 0.
func masked[T number](out []T, n, width int, x operand[T], factor func(i, j int) float64) {
	for i := range n {
		to, from := out[i*width:(i+1)*width], x.row(i)
		part := width / len(from)
		for k, a := range from {
			for j := k * part; j < (k+1)*part; j++ {
				if to[j] = 0; a != 0 {
					to[j] = a * T(factor(i, j))
				}
			}
		}
	}
}

// addScaled adds s times x to sum.
func addScaled[T number](sum, x []T, s T) {
	sum = sum[:len(x)]
	for j, a := range x {
		sum[j] += s * a
	}
}

// add adds x to sum.
func add[T number](sum, x []T) {
	sum = sum[:len(x)]
	for j, a := range x {
		sum[j] += a
	}
}

// product computes rows x·p, where p has these rows of width numbers. What is 0, as most features and what is dropped,
// costs nothing.
func product[T number](out []T, n, width int, x operand[T], p []T) {
	for i := range n {
		to := out[i*width : (i+1)*width]
		clear(to)
		for k, a := range x.row(i) {
			if a != 0 {
				addScaled(to, p[k*width:(k+1)*width], a)
			}
		}
	}
}

// productTransposed computes rows x·pᵀ, where p has width rows.
func productTransposed[T number](out []T, n, width int, x operand[T], p []T) {
	for i := range n {
		from := x.row(i)
		for k := range width {
			var sum T
			row := p[k*len(from) : (k+1)*len(from)]
			for j, a := range from {
				sum += a * row[j]
			}
			out[i*width+k] = sum
		}
	}
}

// outer adds Σ xᵀ·y to sum.
func outer[T number](sum []T, n int, x, y operand[T]) {
	for i := range n {
		b := y.row(i)
		for k, a := range x.row(i) {
			if a != 0 {
				addScaled(sum[k*len(b):(k+1)*len(b)], b, a)
			}
		}
	}
}
