package betweenness

import (
	"context"
	"math"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// search goes breadth-first, and back.
type search struct {
	lists   csr.Cursor
	depth   []int32   // 0: not reached; the source has 1
	values  []float64 // σ; on the way back, share
	order   []uint32  // what is reached, by distance
	onward  []uint32  // of each of order: edges to the next level
	depends []float64 // of each of order: δ
}

func searchesBytes(n int, p parallel.Pool) uint64 { return 8 * uint64(n) * uint64(searchers(p)) }

// coarse takes over the arrays of paths, shares and reached.
func (b *brandes) coarse() *coarse {
	c := &coarse{betweenness: b.betweenness}
	paths, shares := flat(b.paths), flat(b.shares)
	for i := range searchers(b.Pool) {
		from, to := i*b.N, (i+1)*b.N
		c.searches = append(c.searches, &search{lists: csr.Cursor{Index: b.out}, depth: make([]int32, b.N),
			values: paths[from:to], order: b.reached.Vertices[from:from:to], onward: make([]uint32, b.N),
			depends: shares[from:to]})
	}
	return c
}

func flat(values []laned) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(values))), lanes*len(values))
}

// searchStride is how many vertices a search visits before it looks at its context.
const searchStride = 4096

func (s *search) search(ctx context.Context, source uint32) (reached []uint32, depends []float64, err error) {
	s.forward(ctx, source)
	if !s.backward(ctx) {
		return nil, nil, tooManyPaths()
	}
	return s.order, s.depends, ctx.Err()
}

// forward counts paths.
func (s *search) forward(ctx context.Context, source uint32) {
	order, onward, depth, values := append(s.order[:0], source), s.onward, s.depth, s.values
	depth[source], values[source] = 1, 1
	for i := 0; i < len(order) && (i%searchStride != 0 || ctx.Err() == nil); i++ {
		u := order[i]
		next, paths, count := depth[u]+1, values[u], uint32(0)
		for _, r := range s.lists.Of(int(u)) {
			base := uint32(r.Cols.Base)
			for _, local := range r.List(int(u)) {
				v := base + local
				switch depth[v] {
				case 0:
					depth[v], values[v] = next, paths
					order = append(order, v)
					count++
				case next:
					values[v] += paths
					count++
				}
			}
		}
		onward[i] = count
	}
	s.order = order
}

// backward finds what depends on each of order, unless there are too many paths.
func (s *search) backward(ctx context.Context) bool {
	s.depends[0] = 0
	for i := len(s.order) - 1; i > 0 && (i%searchStride != 0 || ctx.Err() == nil); i-- {
		u := s.order[i]
		paths, sum := s.values[u], 0.0
		if paths > math.MaxFloat64 {
			return false
		}
		if s.onward[i] > 0 {
			sum = s.shares(u, s.onward[i])
		}
		s.values[u] = 1/paths + sum
		s.depends[i] = paths * sum
	}
	return true
}

// shares adds up those of u's neighbors on the next level; no more are looked for than
// there are.
func (s *search) shares(u, onward uint32) (sum float64) {
	depth, values := s.depth, s.values
	next := depth[u] + 1
	for _, r := range s.lists.Of(int(u)) {
		base := uint32(r.Cols.Base)
		for _, local := range r.List(int(u)) {
			if v := base + local; depth[v] == next {
				sum += values[v]
				if onward--; onward == 0 {
					return sum
				}
			}
		}
	}
	return sum
}

// clean forgets what a search has reached: much of it at once, little of it one by one.
func (s *search) clean() {
	if len(s.order) > len(s.depth)/8 {
		clear(s.depth)
		return
	}
	for _, v := range s.order {
		s.depth[v] = 0
	}
}
