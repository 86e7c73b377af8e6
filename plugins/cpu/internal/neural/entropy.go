package neural

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// expNumbers are how many exponentials are computed at a time.
const expNumbers = 512

// crossEntropy makes n rows of losses, of slopes, or of both: what is nil is not asked for. Rows of x are what classes
// have before softmax, and a class below 0 is none: its row of either is 0.
func crossEntropy[T number](losses, slopes []T, n int, x, classes operand[T]) {
	var memory [expNumbers]T
	exps, width := memory[:], x.width
	if width > len(exps) {
		exps = make([]T, width)
	}
	for i := 0; i < n; {
		first, used := i, 0
		for i < n && used+width <= len(exps) {
			rows := 0 // with a class, one after the other
			for rows < min(n-i, (len(exps)-used)/width) && classes.row(i + rows)[0] >= 0 {
				rows++
			}
			lessMost(exps[used:], losses, i, rows, x)
			used += rows * width
			if i += rows; rows == 0 {
				i++
			}
		}
		unaryRow(dataflow.Exp, 0, exps[:used], exps)
		for rest := exps; first < i; first++ {
			class := classes.row(first)[0]
			if class < 0 {
				clearRow(losses, first, 1)
				clearRow(slopes, first, width)
				continue
			}
			sum := 0.0
			for _, e := range rest[:width] {
				sum += float64(e)
			}
			if losses != nil {
				losses[first] = T(math.Log(sum)) + losses[first] - x.row(first)[int(class)]
			}
			if slopes != nil {
				row, sum := slopes[first*width:(first+1)*width], T(sum)
				for j, e := range rest[:len(row)] {
					row[j] = e / sum
				}
				row[int(class)]--
			}
			rest = rest[width:]
		}
	}
}

// lessMost makes some rows of x, from row i on, less the largest number of each, which it writes too unless most is
// nil.
func lessMost[T number](to, most []T, i, rows int, x operand[T]) {
	if most != nil {
		most = most[i : i+rows]
	}
	if x.follows() && vector.LessMost(to, most, x.data[i*x.width:], rows, x.width) {
		return
	}
	for k := range rows {
		row := x.row(i + k)
		largest := row[0]
		for _, a := range row[1:] {
			largest = max(largest, a)
		}
		for j, a := range row {
			to[k*x.width+j] = a - largest
		}
		if most != nil {
			most[k] = largest
		}
	}
}

func clearRow[T number](rows []T, i, width int) {
	if rows != nil {
		clear(rows[i*width : (i+1)*width])
	}
}

// pairs are two rows of a wave that are made of the same exponentials: a loss and its slope, elu and its slope. The
// first of the two makes both.
type pairs struct {
	first  table[*dataflow.Value]
	second table[bool]
}

// take takes the pairs of a wave.
func (p *pairs) take(w *dataflow.Wave) {
	for i, v := range w.Rows {
		for _, u := range w.Rows[:i] {
			if isPair(u.Op, v.Op) && slices.Equal(u.Args, v.Args) {
				p.first[u.ID], p.second[v.ID] = v, true
			}
		}
	}
}

func isPair(u, v dataflow.Op) bool {
	switch u {
	case dataflow.CrossEntropy:
		return v == dataflow.CrossEntropySlope
	case dataflow.Elu:
		return v == dataflow.EluSlope
	}
	return u != v && (v == dataflow.CrossEntropy || v == dataflow.Elu) && isPair(v, u)
}

// pair makes the block's rows of a value and of its slope.
func (b *block[T]) pair(v, slope *dataflow.Value) {
	if v.Op == dataflow.CrossEntropySlope || v.Op == dataflow.EluSlope {
		v, slope = slope, v
	}
	x, out, slopes := b.of(v.Args[0]), b.rows[v.ID], b.rows[slope.ID]
	if v.Op == dataflow.CrossEntropy {
		crossEntropy(out, slopes, b.count, x, b.of(v.Args[1]))
		return
	}
	n := b.count * v.Width
	if !x.follows() || !vector.Elus(out[:n], slopes[:n], x.data[:n]) {
		unary(dataflow.Elu, v.Number, out, b.count, v.Width, x)
		unary(dataflow.EluSlope, slope.Number, slopes, b.count, v.Width, x)
	}
}
