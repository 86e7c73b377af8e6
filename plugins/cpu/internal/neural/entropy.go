package neural

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
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
		for ; i < n && used+width <= len(exps); i++ {
			if classes.row(i)[0] < 0 {
				continue
			}
			most := lessMost(exps[used:used+width], x.row(i))
			if used += width; losses != nil {
				losses[i] = most
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
				row := slopes[first*width : (first+1)*width]
				for j, e := range rest[:width] {
					row[j] = e / T(sum)
				}
				row[int(class)]--
			}
			rest = rest[width:]
		}
	}
}

// lessMost makes numbers less the largest of them, which it tells.
func lessMost[T number](to, of []T) T {
	most := of[0]
	for _, a := range of[1:] {
		most = max(most, a)
	}
	for j, a := range of {
		to[j] = a - most
	}
	return most
}

func clearRow[T number](rows []T, i, width int) {
	if rows != nil {
		clear(rows[i*width : (i+1)*width])
	}
}

// entropies are the losses of a wave that has their slopes too, or the other way round: the first of two makes both.
type entropies struct {
	first  map[*dataflow.Value]*dataflow.Value
	second map[*dataflow.Value]bool
}

// take takes the pairs of a wave.
func (e *entropies) take(w *dataflow.Wave) {
	for i, v := range w.Rows {
		for _, u := range w.Rows[:i] {
			if u.Op != v.Op && isEntropy(u) && isEntropy(v) && slices.Equal(u.Args, v.Args) {
				e.first[u], e.second[v] = v, true
			}
		}
	}
}

func isEntropy(v *dataflow.Value) bool {
	return v.Op == dataflow.CrossEntropy || v.Op == dataflow.CrossEntropySlope
}

// lose makes the block's rows of a loss and of its slope.
func (b *block[T]) lose(v, with *dataflow.Value) {
	if v.Op == dataflow.CrossEntropySlope {
		v, with = with, v
	}
	crossEntropy(b.rows[v], b.rows[with], b.count, b.of(v.Args[0]), b.of(v.Args[1]))
}
