package neural

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// number is what is computed with: float32 to train, float64 to compare gradients.
type number = vector.Number

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

// follows says whether rows lie one after the other.
func (o *operand[T]) follows() bool { return !o.one && o.index == nil }

// zeros is the index of one row for all, of as many as are computed at a time.
var zeros [tileEdges]uint32

// from is up to tileEdges rows from row i on.
func (o *operand[T]) from(i, n int) vector.Operand[T] {
	switch {
	case o.one:
		return vector.Operand[T]{Of: o.data, Index: zeros[:n]}
	case o.index != nil:
		return vector.Operand[T]{Of: o.data, Index: o.index[i : i+n]}
	}
	return vector.Operand[T]{Of: o.data[i*o.width:]}
}

// gathered is n rows one after the other, wherever they lie.
func (o *operand[T]) gathered(n int) []T {
	if o.follows() {
		return o.data
	}
	rows := make([]T, 0, n*o.width)
	for i := range n {
		rows = append(rows, o.row(i)...)
	}
	return rows
}

// unary computes rows of a unary operator.
func unary[T number](op dataflow.Op, slope float64, out []T, n, width int, x operand[T]) {
	if x.follows() {
		unaryRow(op, T(slope), out[:n*width], x.data)
		return
	}
	for i := range n {
		unaryRow(op, T(slope), out[i*width:(i+1)*width], x.row(i))
	}
}

func unaryRow[T number](op dataflow.Op, slope T, to, from []T) {
	if vector.Unary(op, to, from, slope) {
		return
	}
	from = from[:len(to)]
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
			to[j] = max(a, 0) + slope*min(a, 0)
		}
	case dataflow.LeakySlope:
		for j, a := range from {
			if to[j] = slope; a > 0 {
				to[j] = 1
			}
		}
	case dataflow.Exp:
		for j, a := range from {
			to[j] = T(math.Exp(float64(a)))
		}
	case dataflow.Negate:
		for j, a := range from {
			to[j] = -a
		}
	case dataflow.Stop:
		copy(to, from)
	default:
		for j, a := range from {
			to[j] = T(dataflow.Unary(op, float64(a), float64(slope)))
		}
	}
}

// binary computes rows of a binary operator; each number of a narrow row goes with a part of the wide one.
func binary[T number](op dataflow.Op, out []T, n, width int, x, y operand[T]) {
	switch { // a number for all becomes a row
	case x.one && x.width == 1 && y.width == width:
		x = operand[T]{data: slices.Repeat(x.data[:1], width), width: width, one: true}
	case y.one && y.width == 1 && x.width == width:
		y = operand[T]{data: slices.Repeat(y.data[:1], width), width: width, one: true}
	}
	switch {
	case x.width == width && y.width == width:
		for i := 0; i < n; i += tileEdges {
			rows := min(tileEdges, n-i)
			if !vector.Binary(op, out[i*width:], x.from(i, rows), y.from(i, rows), rows, width) {
				break
			} else if i+rows == n {
				return
			}
		}
	case op == dataflow.Multiply && x.follows() && y.follows():
		if x.width < y.width {
			x, y = y, x
		}
		vector.ScaleParts(out, x.data[:n*width], y.data[:n*y.width], y.width, width/y.width)
		return
	case op == dataflow.Multiply && x.one && x.width == width && y.follows():
		vector.ScaleParts(out, x.data[:width], y.data[:n*y.width], y.width, width/y.width)
		return
	case op == dataflow.Multiply && y.one && y.width == width && x.follows():
		vector.ScaleParts(out, y.data[:width], x.data[:n*x.width], x.width, width/x.width)
		return
	}
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

// masked multiplies rows of x with those of a mask.
func masked[T number](out []T, n, width int, x operand[T], maskWidth int, d drawn) {
	if x.width == width && maskWidth == width && x.follows() {
		vector.Mask(out, x.data, d.keys[:n], width, d.of)
		return
	}
	for i := range n {
		to, from, row := out[i*width:(i+1)*width], x.row(i), d.row(i)
		if len(from) == width && maskWidth == width {
			vector.MaskRow(to, from, row)
			continue
		}
		part := width / len(from)
		for j := range to {
			to[j] = from[j/part] * T(row.Factor(j*maskWidth/width))
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

// sparselyProduct computes rows x·p, where p has rows of width numbers, if those of x are mostly 0.
func sparselyProduct[T number](out []T, n, width int, x operand[T], p []T) bool {
	var f few[T]
	if n == 0 || !f.take(x.row(0)) || !f.take(x.row(n-1)) {
		return false
	}
	for i := range n {
		to, from := out[i*width:(i+1)*width], x.row(i)
		clear(to)
		if f.take(from) {
			weightedSum(to, p, f.places, f.numbers, len(f.places), width, 1)
		} else {
			weightedSum(to, p, nil, from, len(from), width, 1)
		}
	}
	return true
}

// few are the numbers of a wide row that are not 0, as most features and what is dropped are.
type few[T number] struct {
	places  []uint32
	numbers []T
}

const (
	leastWidth = 256 // of rows that are looked at
	fewShare   = 8   // of their numbers, so many are 0 for one that is not
)

// take finds the numbers of a row that are not 0, and tells whether they are few.
func (f *few[T]) take(row []T) bool {
	if len(row) < leastWidth {
		return false
	}
	f.places, f.numbers = f.places[:0], f.numbers[:0]
	for k, a := range row {
		if a == 0 {
			continue
		}
		if len(f.places) >= len(row)/fewShare {
			return false
		}
		f.places, f.numbers = append(f.places, uint32(k)), append(f.numbers, a)
	}
	return true
}

// panelsOf is the matrix that v multiplies by, as products read it.
func panelsOf[T number](v *dataflow.Value, room, p []T) vector.Panels[T] {
	panels := vector.Panels[T]{K: v.Args[0].Width, N: v.Width, Of: room}
	panels.Pack(p, v.Op == dataflow.ProductTransposed)
	return panels
}

// outer adds Σ xᵀ·y to sum.
func outer[T number](sum []T, n int, x, y operand[T]) {
	var f few[T]
	if x.follows() && y.follows() && n > 0 && (!f.take(x.row(0)) || !f.take(x.row(n-1))) {
		vector.AddOuter(sum, x.data, y.data, n, x.width, y.width)
		return
	}
	for i := range n {
		a, b := x.row(i), y.row(i)
		for k := range a {
			if a[k] != 0 {
				weightedSum(sum[k*len(b):(k+1)*len(b)], b, nil, a[k:], 1, len(b), 1)
			}
		}
	}
}
