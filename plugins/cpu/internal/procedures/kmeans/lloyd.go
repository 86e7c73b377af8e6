package kmeans

import (
	"context"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// lloyd is one search. Which center is nearest is decided in double precision, among those that may be by single
// precision (assign); sums are in the order of vertices (means): there is one result for any number of threads.
type lloyd struct {
	*kmeans
	order   []uint32  // of vertices, while centers are drawn
	centers []float64 // width numbers of each
	rounded []float32 // the same in single precision
	largest float64   // length of a center
	sums    []float64
	counts  []float64
	near    [][]float32 // of each worker: squares of distances from all centers
}

func newLloyd(s *kmeans) *lloyd {
	l := &lloyd{kmeans: s, order: make([]uint32, s.N), centers: make([]float64, s.clusters*s.width),
		rounded: make([]float32, s.clusters*s.width), sums: make([]float64, s.clusters*s.width),
		counts: make([]float64, s.clusters), near: make([][]float32, s.Pool.Threads)}
	for i := range l.near {
		l.near[i] = make([]float32, s.clusters)
	}
	return l
}

// nearest is memory for a number of each vertex, until communities are assigned.
func (l *lloyd) nearest() []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(l.community))), len(l.community))
}

// center makes the vector of a vertex a center.
func (l *lloyd) center(c int, v uint32) {
	for k, x := range l.vector(int(v)) {
		l.centers[c*l.width+k] = float64(x)
	}
}

func (l *lloyd) centerOf(c int) []float64 { return l.centers[c*l.width:][:l.width:l.width] }

// search goes on until few vertices change their community.
func (l *lloyd) search(ctx context.Context, part procedures.Progress) error {
	iterations, least := int(l.Args.Ints["iterations"]), l.Args.Floats["deltaThreshold"]*float64(l.N)
	for v := range l.community {
		l.community[v] = -1
	}
	for i := range iterations {
		if i > 0 {
			if err := l.means(ctx); err != nil {
				return err
			}
		}
		l.round()
		var changed atomic.Int64
		err := l.Groups(ctx, nil, procedures.Progress{From: part.At(float64(i) / float64(iterations)),
			To: part.At(float64(i+1) / float64(iterations)), Tell: part.Tell},
			func(worker, from, to int, _ []*csr.Chunk) {
				for v := from; v < to; v++ {
					if l.assign(v, l.near[worker]) {
						changed.Add(1)
					}
				}
			})
		if err != nil {
			return err
		}
		if n := changed.Load(); n == 0 || float64(n) < least {
			return nil
		}
	}
	return nil
}

// round keeps centers in single precision, and the length of the longest.
func (l *lloyd) round() {
	l.largest = 0
	for c := range l.clusters {
		square := 0.0
		for k, x := range l.centerOf(c) {
			l.rounded[c*l.width+k] = float32(x)
			square += x * x
		}
		l.largest = max(l.largest, math.Sqrt(square))
	}
}

// assign gives a vertex the nearest center, of several the first, and tells whether it is another than before.
func (l *lloyd) assign(v int, near []float32) bool {
	x := l.vector(v)
	vector.Squares(near, x, vector.Operand[float32]{Of: l.rounded}, l.clusters)
	least := near[0]
	for _, square := range near {
		least = min(least, square)
	}
	reach, nearest, square := l.reach(float64(least)), -1, math.Inf(1)
	for c, s := range near {
		if float64(s) > reach {
			continue
		}
		if d := algorithms.SquaredFrom(x, l.centerOf(c)); d < square {
			nearest, square = c, d
		}
	}
	changed := l.community[v] != int64(nearest)
	l.community[v], l.distance[v] = int64(nearest), math.Sqrt(square)
	return changed
}

// reach is the largest square, in single precision, of a center that may be as near as one of this square. A distance
// is off by a part of it, as its terms were rounded, and by as much as the center was moved; and squares that are too
// small for single precision are 0.
func (l *lloyd) reach(least float64) float64 {
	part := float64(l.width+6) * 0x1p-23
	moved := l.largest * 0x1p-23
	farthest := (math.Sqrt(least)*(1+part)+2*moved)/(1-part) + 0x1p-60
	return farthest * farthest * (1 + part)
}

// meansNumbers is how many numbers of all vectors a task adds up: a cache line.
const meansNumbers = 16

// means makes each center the mean of its vectors, number by number.
func (l *lloyd) means(ctx context.Context) error {
	clear(l.sums)
	clear(l.counts)
	for _, c := range l.community {
		l.counts[c]++
	}
	tasks := (l.width + meansNumbers - 1) / meansNumbers
	err := l.Pool.Run(ctx, tasks, func(_, task int) {
		from := task * meansNumbers
		to := min(from+meansNumbers, l.width)
		for v, c := range l.community {
			sums := l.sums[int(c)*l.width:][from:to]
			for k, x := range l.vectors[v*l.width:][from:to] {
				sums[k] += float64(x)
			}
		}
	})
	for c, count := range l.counts {
		if count == 0 {
			continue
		}
		for k, sum := range l.sums[c*l.width:][:l.width] {
			l.centers[c*l.width+k] = sum / count
		}
	}
	return err
}
