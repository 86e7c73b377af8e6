package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// lloyd is one search. Which center is nearest is decided in double precision where single precision leaves a doubt
// (assign); sums are in the order of vertices (means): there is one result for any number of threads.
type lloyd struct {
	*kmeans
	order    []uint32  // of vertices, while centers are drawn
	centers  []float64 // width numbers of each
	panels   []float32 // the same in single precision, 32 side by side
	largest  float64   // length of a center
	sorted   []int     // centers, by their numbers
	sums     []float64
	counts   []float64
	assigner []*assigner // of each worker
}

func newLloyd(s *kmeans) *lloyd {
	l := &lloyd{kmeans: s, order: make([]uint32, 0, s.N), centers: make([]float64, s.clusters*s.width),
		panels: make([]float32, s.blocks()*vector.Abreast*s.width), sums: make([]float64, s.clusters*s.width),
		counts: make([]float64, s.clusters), sorted: make([]int, s.clusters), assigner: make([]*assigner, s.Pool.Threads)}
	for i := range l.assigner {
		l.assigner[i] = newAssigner(l)
	}
	return l
}

// blocks is how many panels centers take.
func (s *kmeans) blocks() int { return (s.clusters + vector.Abreast - 1) / vector.Abreast }

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
				for v := from; v < to; v += vector.Abreast {
					changed.Add(int64(l.assigner[worker].assign(v, min(to, v+vector.Abreast))))
				}
			})
		if err != nil {
			return err
		}
		if n := changed.Load(); n == 0 || float64(n) < least {
			break
		}
	}
	return l.each(ctx, func(v int) {
		l.distance[v] = math.Sqrt(community.SquaredFrom(l.vector(v), l.centerOf(int(l.community[v]))))
	})
}

// round keeps centers in single precision, and the length of the longest. Of those that are the same the first alone is
// ever nearest: the others are kept infinitely far away.
func (l *lloyd) round() {
	for i := range l.sorted {
		l.sorted[i] = i
	}
	slices.SortFunc(l.sorted, func(a, b int) int {
		return cmp.Or(slices.Compare(l.centerOf(a), l.centerOf(b)), a-b)
	})
	l.largest = 0
	for i, c := range l.sorted {
		panel, square := l.panel(c/vector.Abreast), 0.0
		again := i > 0 && slices.Equal(l.centerOf(l.sorted[i-1]), l.centerOf(c))
		for k, x := range l.centerOf(c) {
			square += x * x
			if again {
				x = math.Inf(1)
			}
			panel[k*vector.Abreast+c%vector.Abreast] = float32(x)
		}
		l.largest = max(l.largest, math.Sqrt(square))
	}
}

func (l *lloyd) panel(block int) []float32 {
	return l.panels[block*vector.Abreast*l.width:][:vector.Abreast*l.width]
}

// means makes each center the mean of its vectors, number by number.
func (l *lloyd) means(ctx context.Context) error {
	clear(l.sums)
	clear(l.counts)
	for _, c := range l.community {
		l.counts[c]++
	}
	const line = 16 // numbers of vectors
	each := (l.width + l.Pool.Threads*line - 1) / (l.Pool.Threads * line) * line
	err := l.Pool.Run(ctx, (l.width+each-1)/each, func(_, task int) {
		vector.AddTo(l.sums, l.vectors, l.community, task*each, min(task*each+each, l.width), l.width)
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
