package cpu

import (
	"context"
	"math"
	"sync/atomic"
	"unsafe"
)

// coarse is Brandes's algorithm with a source for each worker. Where levels are many and
// small, as on roads, lanes seldom meet on one and workers would mostly wait for each
// other between levels. (Bader and Madduri, "Parallel algorithms for evaluating centrality
// indices in real-world networks", 2006: coarse-grained.)
type coarse struct {
	*betweenness
	out      stripes
	order    [lanes][]uint32  // of each source: what it reaches, by distance
	depends  [lanes][]float64 // δ of each of order
	searches []search         // one for each worker
	overflow atomic.Bool
}

// search is of one worker, and of each of its sources in turn.
type search struct {
	lists  cursor
	depth  []int32   // 0: not reached; the source has 1
	values []float64 // σ; on the way back, share
	onward []uint32  // of each of order: edges to the next level
}

func searchers(p pool) int { return min(p.threads, lanes) }

func searchesBytes(n int, p pool) uint64 { return 8 * uint64(n) * uint64(searchers(p)) }

// coarse has its arrays of paths, shares and reached, which it leaves useless.
func (b *brandes) coarse() *coarse {
	c := &coarse{betweenness: b.betweenness, out: b.out, searches: make([]search, searchers(b.pool))}
	paths, shares := flat(b.paths), flat(b.shares)
	for i := range lanes {
		from, to := i*b.n, (i+1)*b.n
		c.order[i], c.depends[i] = b.reached.vertices[from:to:to], shares[from:to]
	}
	for i := range c.searches {
		c.searches[i] = search{lists: cursor{stripes: b.out}, depth: make([]int32, b.n), onward: make([]uint32, b.n), values: paths[i*b.n : (i+1)*b.n]}
	}
	return c
}

func flat(values []laned) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(values))), lanes*len(values))
}

// batch adds the dependencies on some sources, in their order.
func (c *coarse) batch(ctx context.Context, sources []int, p progress) error {
	err := c.pool.run(ctx, len(sources), func(worker, i int) {
		s := &c.searches[worker]
		c.order[i] = s.forward(ctx, c.order[i], uint32(sources[i]))
		s.backward(ctx, c.order[i], c.depends[i], &c.overflow)
		s.clean(c.order[i])
	})
	if err == nil && c.overflow.Load() {
		err = tooManyPaths()
	}
	for i := 0; i < len(sources) && err == nil; i++ {
		err = c.pool.blocks(ctx, len(c.order[i]), func(_, _, from, to int) {
			for j, v := range c.order[i][from:to] {
				c.sum[v] += c.depends[i][from+j]
			}
		})
	}
	p.tell(p.to)
	return err
}

// searchStride is how many vertices a search visits before it looks at its context.
const searchStride = 4096

// forward counts paths, and appends to order[:0] what they reach.
func (s *search) forward(ctx context.Context, order []uint32, source uint32) []uint32 {
	order = append(order[:0], source)
	s.depth[source], s.values[source] = 1, 1
	for i := 0; i < len(order) && (i%searchStride != 0 || ctx.Err() == nil); i++ {
		u := order[i]
		next, paths, onward := s.depth[u]+1, s.values[u], uint32(0)
		for _, r := range s.lists.of(int(u)) {
			base := uint32(r.cols.Base)
			for _, local := range r.list(int(u)) {
				v := base + local
				switch s.depth[v] {
				case 0:
					s.depth[v], s.values[v] = next, paths
					order = append(order, v)
					onward++
				case next:
					s.values[v] += paths
					onward++
				}
			}
		}
		s.onward[i] = onward
	}
	return order
}

// backward finds what depends on each of order.
func (s *search) backward(ctx context.Context, order []uint32, depends []float64, overflow *atomic.Bool) {
	depends[0] = 0
	for i := len(order) - 1; i > 0 && (i%searchStride != 0 || ctx.Err() == nil); i-- {
		u := order[i]
		paths, sum := s.values[u], s.shares(u, s.onward[i])
		s.values[u] = 1/paths + sum
		depends[i] = paths * sum
		if paths > math.MaxFloat64 {
			overflow.Store(true)
		}
	}
}

// shares adds up those of u's neighbours on the next level; no more are looked for than
// there are.
func (s *search) shares(u, onward uint32) (sum float64) {
	if onward == 0 {
		return 0
	}
	next := s.depth[u] + 1
	for _, r := range s.lists.of(int(u)) {
		base := uint32(r.cols.Base)
		for _, local := range r.list(int(u)) {
			if v := base + local; s.depth[v] == next {
				sum += s.values[v]
				if onward--; onward == 0 {
					return sum
				}
			}
		}
	}
	return sum
}

// clean forgets what a search has reached: much of it at once, little of it one by one.
func (s *search) clean(order []uint32) {
	if len(order) > len(s.depth)/8 {
		clear(s.depth)
		return
	}
	for _, v := range order {
		s.depth[v] = 0
	}
}
