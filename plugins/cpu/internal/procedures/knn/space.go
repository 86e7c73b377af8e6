package knn

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// space has the vectors as they are compared: of length 1, for metrics that are cosines; of Euclidean so scaled that no
// square overflows.
type space struct {
	metric  algorithms.VectorMetric
	given   []float32
	rows    []float32
	width   int
	compare func(to, x []float32, y vector.Operand[float32], n int)
	scale   float32
	void    []bool // vertices whose vector has no direction, which are compared with none
}

func spaceBytes(n, width int) uint64 { return uint64(n) * (4*uint64(width) + 1) }

func newSpace(metric algorithms.VectorMetric, given []float32, n int) *space {
	s := &space{metric: metric, given: given, rows: make([]float32, len(given)), width: len(given) / n,
		compare: vector.Dots, scale: 1, void: make([]bool, n)}
	if metric == algorithms.Euclidean {
		s.compare, s.scale = vector.Squares, scaleOf(given)
	}
	return s
}

// scaleOf is 1, or a power of two by which the numbers are small enough to be squared and added up.
func scaleOf(numbers []float32) float32 {
	largest := float32(0)
	for _, x := range numbers {
		largest = max(largest, x, -x)
	}
	if largest < 1<<40 {
		return 1
	}
	_, exponent := math.Frexp(float64(largest))
	return float32(math.Ldexp(1, 40-exponent))
}

// enter makes the rows of some vertices.
func (s *space) enter(from, to int) {
	for v := from; v < to; v++ {
		given, row := s.given[v*s.width:][:s.width], s.row(uint32(v))
		if s.metric == algorithms.Euclidean {
			for k, x := range given {
				row[k] = x * s.scale
			}
			continue
		}
		origin, square := s.metric.Origin(given), 0.0
		for _, x := range given {
			square += (float64(x) - origin) * (float64(x) - origin)
		}
		if s.void[v] = square == 0; s.void[v] {
			continue
		}
		length := math.Sqrt(square)
		for k, x := range given {
			row[k] = float32((float64(x) - origin) / length)
		}
	}
}

func (s *space) row(v uint32) []float32 { return s.rows[int(v)*s.width:][:s.width:s.width] }

// nearness compares a vertex with others: the greater, the more similar. That of two is the same in either order.
func (s *space) nearness(to []float32, v uint32, others []uint32) {
	s.compare(to, s.row(v), vector.Operand[float32]{Of: s.rows, Index: others}, len(others))
	s.negate(to[:len(others)])
}

// nearnessOf is nearness to all vertices; -Inf: there is none.
func (s *space) nearnessOf(to []float32, v uint32) {
	s.compare(to, s.row(v), vector.Operand[float32]{Of: s.rows}, len(to))
	s.negate(to)
	for u, void := range s.void {
		if void {
			to[u] = float32(math.Inf(-1))
		}
	}
}

// reach is the least nearness of one that may be as similar as another of this nearness, or more: as far as numbers of
// single precision were rounded, and similarities of double precision are the same.
func (s *space) reach(near float32) float32 {
	rounding := float64(s.width+6) * 0x1p-23 // of both: each is off by half of that
	if s.metric != algorithms.Euclidean {
		return float32(float64(near) - rounding)
	}
	distance := math.Sqrt(-float64(near)) / float64(s.scale)
	distance = (distance*(1+rounding) + 0x1p-48*(1+distance)) * float64(s.scale)
	return -float32(distance*distance) - 0x1p-90
}

// negate makes the nearest the greatest where distances are compared.
func (s *space) negate(all []float32) {
	if s.metric != algorithms.Euclidean {
		return
	}
	for i, x := range all {
		all[i] = -x
	}
}
