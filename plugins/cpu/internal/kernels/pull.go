package kernels

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// number is what can be summed and multiplied.
type number interface{ float64 | int64 }

// message is what numbers are sent as: themselves, or in single precision (package compile).
type message interface{ number | float32 }

// gather pulls into each row what the sources that its list names have sent. fold
// continues from what the row has; sums does so for many rows at once.
type gather[T number, M message] struct {
	title    string
	acc      *Accumulators
	weights  int // among the program's edge columns; -1: none
	messages *[]M
	fold     fold[T, M]
	sums     bool // messages are summed as they are: sumRows
}

// fold adds to start, or multiplies it by, what the messages of a part of a row come to. That is
// taken by itself first, so that it makes no difference whether start is the row or a head.
type fold[T number, M message] func(start T, messages []M, neighbors []uint32, weights []float64) T

func (k *gather[T, M]) Name() string { return k.title }
func (k *gather[T, M]) Size() uint64 { return 0 }

// step writes each row that begins in the segment. The rest of a row that began
// before goes to the segment's head, for combine.
func (k *gather[T, M]) step(_ int, r *csr.Chunk, s int) uint64 {
	messages := (*k.messages)[r.Cols.Base:r.Cols.End()]
	acc := (*vector.Of[T](&k.acc.Sums))[r.Rows.Base:r.Rows.End()]
	weights := r.WeightsOf(k.weights)
	from, to, row := r.Segment(s)
	first := from
	if int(r.Offsets[row]) < from {
		end := min(int(r.Offsets[row+1]), to)
		heads := *vector.Of[T](&k.acc.heads)
		heads[r.FirstHead+s] = k.fold(neutral[T](k.acc.Reduce), messages, r.Neighbors[from:end], part(weights, from, end))
		row, from = row+1, end
	}
	if k.sums {
		stop := rowsBy(r, row, to)
		sumRows(acc, messages, r, row, stop)
		row, from = stop, max(from, int(r.Offsets[stop]))
	}
	for from < to {
		end := min(int(r.Offsets[row+1]), to)
		if from < end {
			v := r.Local(row)
			acc[v] = k.fold(acc[v], messages, r.Neighbors[from:end], part(weights, from, end))
		}
		row, from = row+1, end
	}
	return uint64(to - first)
}

func (k *gather[T, M]) combine(r *csr.Chunk) { combineHeads[T](k.acc, r) }

// combineHeads adds the heads of r's segments to the rows they belong to, in order.
func combineHeads[T number](a *Accumulators, r *csr.Chunk) {
	acc := (*vector.Of[T](&a.Sums))[r.Rows.Base:r.Rows.End()]
	heads := *vector.Of[T](&a.heads)
	for s := range r.Segments() {
		from, _, row := r.Segment(s)
		if int(r.Offsets[row]) == from {
			continue
		}
		v := r.Local(row)
		accumulated(a.Reduce, &acc[v], heads[r.FirstHead+s])
	}
}

// neutral is the identity of r in T.
func neutral[T number](r algorithms.Reduce) T { return T(r.IntIdentity()) }

// plainFold is for messages that the edge leaves alone.
func plainFold[T number](r algorithms.Reduce) fold[T, T] {
	if r == algorithms.Prod {
		return gatherProd[T]
	}
	return gatherSum[T, T]
}

// floatFold is for any weighting; weighted folds are sums.
func floatFold(r algorithms.Reduce, w shape.Weighting) fold[float64, float64] {
	weighted := [...]fold[float64, float64]{shape.Plus: sumPlus, shape.Times: sumTimes, shape.Least: sumMin,
		shape.Largest: sumMax}
	if w == shape.Unweighted {
		return plainFold[float64](r)
	}
	return weighted[w]
}

// gatherSum is sumRows for a part of a row.
func gatherSum[T number, M message](start T, messages []M, neighbors []uint32, _ []float64) T {
	return start + sumOf[T](unsafe.SliceData(messages), neighbors)
}

func gatherProd[T number](start T, messages []T, neighbors []uint32, _ []float64) T {
	part := T(1)
	for _, from := range neighbors {
		part *= messages[from]
	}
	return start * part
}

func sumPlus(start float64, messages []float64, neighbors []uint32, weights []float64) float64 {
	part := 0.0
	for i, from := range neighbors {
		part += messages[from] + weights[i]
	}
	return start + part
}

func sumTimes(start float64, messages []float64, neighbors []uint32, weights []float64) float64 {
	part := 0.0
	for i, from := range neighbors {
		part += messages[from] * weights[i]
	}
	return start + part
}

func sumMin(start float64, messages []float64, neighbors []uint32, weights []float64) float64 {
	part := 0.0
	for i, from := range neighbors {
		part += min(messages[from], weights[i])
	}
	return start + part
}

func sumMax(start float64, messages []float64, neighbors []uint32, weights []float64) float64 {
	part := 0.0
	for i, from := range neighbors {
		part += max(messages[from], weights[i])
	}
	return start + part
}

// Sum keeps four sums, as sumOf does for a long row.
func Sum[T number](start T, values []T) T {
	var a, b, c, d T
	for ; len(values) >= 4; values = values[4:] {
		a += values[0]
		b += values[1]
		c += values[2]
		d += values[3]
	}
	for _, x := range values {
		start += x
	}
	return start + ((a + b) + (c + d))
}
