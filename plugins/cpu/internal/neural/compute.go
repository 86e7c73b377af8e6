package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// drawn is a mask's rows, of a block or a tile.
type drawn struct {
	of   dataflow.MaskKey
	keys []uint64 // of each row, until another mask is drawn
}

func (d *drawn) row(i int) dataflow.MaskRow {
	return dataflow.MaskRow{From: d.keys[i], Limit: d.of.Limit, Kept: d.of.Kept}
}

// masks draws a mask.
type masks func(mask *dataflow.Value) drawn

// compute makes n rows of v of as many of its arguments. Masks have no rows: what they multiply asks for its factors.
func compute[T number](v *dataflow.Value, out []T, n int, args []operand[T], known table[[]T],
	draw masks) {
	for k, a := range v.Args {
		if other := v.Args[len(v.Args)-1-k]; a.Op == dataflow.Mask {
			if v.Op == dataflow.Multiply && other.Op != dataflow.Mask {
				masked(out, n, v.Width, args[len(v.Args)-1-k], a.Width, draw(a))
				return
			}
			args[k] = factors[T](a, n, draw)
		}
	}
	x := args[0]
	switch {
	case v.Op.IsUnary():
		unary(v.Op, v.Number, out, n, v.Width, x)
	case v.Op.IsBinary():
		binary(v.Op, out, n, v.Width, x, args[1])
	case v.Op == dataflow.Product || v.Op == dataflow.ProductTransposed:
		p := known[v.Args[1].ID]
		panelsOf(v, make([]T, len(p)), p).Multiply(out, x.gathered(n), n)
	case v.Op == dataflow.SumParts && x.follows() && x.width <= len(singleOnes) && n <= tileEdges:
		vector.DotParts(out, x.from(0, n), vector.Operand[T]{Of: ones[T](), Index: zeros[:n]}, n, v.Width, x.width/v.Width)
	case v.Op == dataflow.CrossEntropy:
		crossEntropy(out, nil, n, x, args[1])
	case v.Op == dataflow.CrossEntropySlope:
		crossEntropy(nil, out, n, x, args[1])
	default:
		for i := range n {
			row(v, out[i*v.Width:(i+1)*v.Width], i, args)
		}
	}
}

// factors are the rows of a mask that something else than a product with rows reads.
func factors[T number](mask *dataflow.Value, n int, draw masks) operand[T] {
	m := operand[T]{data: make([]T, n*mask.Width), width: mask.Width}
	rows := draw(mask)
	for i := range n {
		row := rows.row(i)
		for j := range mask.Width {
			m.data[i*mask.Width+j] = T(row.Factor(j))
		}
	}
	return m
}

// row makes row i of what changes widths.
func row[T number](v *dataflow.Value, out []T, i int, args []operand[T]) {
	x := args[0].row(i)
	switch v.Op {
	case dataflow.Repeat:
		copy(out, x)
	case dataflow.SumParts:
		part := len(x) / len(out)
		for k := range out {
			var sum T
			for _, a := range x[k*part : (k+1)*part] {
				sum += a
			}
			out[k] = sum
		}
	case dataflow.Spread:
		part := len(out) / len(x)
		for k, a := range x {
			for j := k * part; j < (k+1)*part; j++ {
				out[j] = a
			}
		}
	case dataflow.Join:
		copy(out[copy(out, x):], args[1].row(i))
	case dataflow.Part:
		copy(out, x[int(v.Number):])
	}
}

// ones is a row of ones.
func ones[T number]() []T {
	if all, is := any(doubleOnes[:]).([]T); is {
		return all
	}
	return any(singleOnes[:]).([]T)
}

var singleOnes, doubleOnes = [512]float32{}, [512]float64{}

func init() {
	for i := range singleOnes {
		singleOnes[i], doubleOnes[i] = 1, 1
	}
}
