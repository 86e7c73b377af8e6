package neural

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// maskRows gives the rows of a mask, by their numbers in a block or tile.
type maskRows func(mask *dataflow.Value) func(i int) dataflow.MaskRow

// compute makes n rows of v of as many of its arguments. Masks have no rows: what they multiply asks for its factors.
func compute[T number](v *dataflow.Value, out []T, n int, args []operand[T], known map[*dataflow.Value][]T,
	masks maskRows) {
	for k, a := range v.Args {
		if other := v.Args[len(v.Args)-1-k]; a.Op == dataflow.Mask {
			if v.Op == dataflow.Multiply && other.Op != dataflow.Mask {
				masked(out, n, v.Width, args[len(v.Args)-1-k], a.Width, masks(a))
				return
			}
			args[k] = factors[T](a, n, masks)
		}
	}
	x := args[0]
	switch {
	case v.Op.IsUnary():
		unary(v.Op, v.Number, out, n, v.Width, x)
	case v.Op.IsBinary():
		binary(v.Op, out, n, v.Width, x, args[1])
	case v.Op == dataflow.Product:
		product(out, n, v.Width, x, known[v.Args[1]])
	case v.Op == dataflow.ProductTransposed:
		productTransposed(out, n, v.Width, x, known[v.Args[1]])
	default:
		for i := range n {
			row(v, out[i*v.Width:(i+1)*v.Width], i, args)
		}
	}
}

// factors are the rows of a mask that something else than a product with rows reads.
func factors[T number](mask *dataflow.Value, n int, masks maskRows) operand[T] {
	m := operand[T]{data: make([]T, n*mask.Width), width: mask.Width}
	rows := masks(mask)
	for i := range n {
		row := rows(i)
		for j := range mask.Width {
			m.data[i*mask.Width+j] = T(row.Factor(j))
		}
	}
	return m
}

// row makes row i of what changes widths, and of losses.
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
	case dataflow.CrossEntropy:
		out[0] = crossEntropy(x, args[1].row(i)[0])
	case dataflow.CrossEntropySlope:
		crossEntropySlope(out, x, args[1].row(i)[0])
	}
}

func crossEntropy[T number](logits []T, class T) T {
	if class < 0 {
		return 0
	}
	most, sum := largest(logits), 0.0
	for _, x := range logits {
		sum += math.Exp(float64(x - most))
	}
	return T(math.Log(sum)) + most - logits[int(class)]
}

func crossEntropySlope[T number](out, logits []T, class T) {
	clear(out)
	if class < 0 {
		return
	}
	most, sum := largest(logits), 0.0
	for j, x := range logits {
		e := math.Exp(float64(x - most))
		out[j] = T(e)
		sum += e
	}
	for j := range out {
		out[j] /= T(sum)
	}
	out[int(class)]--
}

func largest[T number](x []T) T {
	most := x[0]
	for _, a := range x[1:] {
		most = max(most, a)
	}
	return most
}
