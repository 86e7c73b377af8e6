package knn

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// space has the vectors as they are compared: of length 1, for metrics that are cosines; of Euclidean so scaled that no
// square overflows. Vectors without a direction are left out, for they are compared with none: what is told of those
// that are left, their points, is told by the place of each among them.
type space struct {
	metric similarity.VectorMetric
	given  []float32
	width  int
	scale  float32
	void   []bool    // vertices without a direction
	points []uint32  // the others
	rows   []float32 // of points: one after the other, or in panels of 32
}

func spaceBytes(n, width, threads int) uint64 {
	return uint64(n)*5 + uint64(n+vector.Abreast)*4*uint64(width) + uint64(threads)*vector.Abreast*4*uint64(width)
}

func newSpace(ctx context.Context, pool parallel.Pool, metric similarity.VectorMetric, given []float32, n int) (*space,
	error) {
	s := &space{metric: metric, given: given, width: len(given) / n, scale: 1, void: make([]bool, n),
		points: make([]uint32, 0, n)}
	if metric == similarity.Euclidean {
		s.scale = scaleOf(given)
	}
	err := pool.Blocks(ctx, n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			_, length := s.direction(uint32(v))
			s.void[v] = length == 0
		}
	})
	for v, void := range s.void {
		if !void {
			s.points = append(s.points, uint32(v))
		}
	}
	return s, err
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

// direction is where the direction of a vector is measured from, and how far away it is: 0, it has none. Where
// distances are compared each has one.
func (s *space) direction(v uint32) (origin, length float64) {
	if s.metric == similarity.Euclidean {
		return 0, 1
	}
	given, square := s.givenOf(v), 0.0
	origin = s.metric.Origin(given)
	for _, x := range given {
		square += (float64(x) - origin) * (float64(x) - origin)
	}
	return origin, math.Sqrt(square)
}

func (s *space) givenOf(v uint32) []float32 { return s.given[int(v)*s.width:][:s.width:s.width] }

// enter makes the rows of points.
func (s *space) enter(ctx context.Context, pool parallel.Pool) error {
	s.rows = make([]float32, len(s.points)*s.width)
	return pool.Blocks(ctx, len(s.points), func(_, _, from, to int) { s.make(s.rows[from*s.width:], from, to) })
}

// enterPanels makes the rows of points, 32 side by side.
func (s *space) enterPanels(ctx context.Context, pool parallel.Pool) error {
	panels := (len(s.points) + vector.Abreast - 1) / vector.Abreast
	s.rows = make([]float32, panels*s.panelNumbers())
	buffers := make([][]float32, pool.Threads)
	return pool.Run(ctx, panels, func(worker, panel int) {
		if buffers[worker] == nil {
			buffers[worker] = make([]float32, s.panelNumbers())
		}
		from := panel * vector.Abreast
		count := min(vector.Abreast, len(s.points)-from)
		s.make(buffers[worker], from, from+count)
		vector.FillPanel(s.panelAt(from), vector.Operand[float32]{Of: buffers[worker]}, count, s.width)
	})
}

// make makes the rows of the points from … to.
func (s *space) make(rows []float32, from, to int) {
	for p := from; p < to; p++ {
		given, row := s.givenOf(s.points[p]), rows[(p-from)*s.width:][:s.width]
		if s.metric == similarity.Euclidean {
			for k, x := range given {
				row[k] = x * s.scale
			}
			continue
		}
		origin, length := s.direction(s.points[p])
		for k, x := range given {
			row[k] = float32((float64(x) - origin) / length)
		}
	}
}

func (s *space) row(p uint32) []float32 { return s.rows[int(p)*s.width:][:s.width:s.width] }

// panel sets up to 32 points side by side.
func (s *space) panel(to []float32, points []uint32) {
	vector.FillPanel(to, vector.Operand[float32]{Of: s.rows, Index: points}, len(points), s.width)
}

func (s *space) panelNumbers() int { return vector.Abreast * s.width }

// panelAt is the panel that begins with a point.
func (s *space) panelAt(p int) []float32 { return s.rows[p*s.width:][:s.panelNumbers()] }

// nearness compares the first points of a panel with all of another: the greater, the more similar. That of two has the
// same bits wherever they stand, and in either order.
func (s *space) nearness(to *vector.Square, p, q []float32, rows int) {
	clear(to[:rows*vector.Abreast])
	if s.metric == similarity.Euclidean {
		to.Squares(p, q, rows)
	} else {
		to.Products(p, q, rows)
	}
}

// reach is the least nearness of one that may be as similar as another of this nearness, or more: as far as numbers of
// single precision were rounded, and similarities of double precision are the same.
func (s *space) reach(near float32) float32 {
	rounding := float64(s.width+6) * 0x1p-23 // of both: each is off by half of that
	if s.metric != similarity.Euclidean {
		return float32(float64(near) - rounding)
	}
	distance := math.Sqrt(-float64(near)) / float64(s.scale)
	distance = (distance*(1+rounding) + 0x1p-48*(1+distance)) * float64(s.scale)
	return -float32(distance*distance) - 0x1p-90
}
