// Package components finds connected components by Afforest, and the best initial value of
// each. Resident, it looks at few edges (afforest.go). Streamed, it is done after one pass over
// all chunks, or asks for the lists of a sample, and then of vertices outside the largest
// component (streamed.go). Of several sessions each joins its own edges, and then what others have joined (joining.go).
// It takes 4 bytes a vertex, and two bits where lists alone are sent.
package components

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// afforest solves programs that send their first column as it is, along edges that lead
// both ways: each vertex ends with the best initial value of its connected component. It
// is Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation
// via Subgraph Sampling", 2018): few edges of each vertex join most of the largest
// component; the others are looked at only from vertices outside it.
//
//	hook      v below its first neighbor         one write a vertex, nothing atomic
//	flatten   v below its root
//	link      v with its second neighbor         compare-and-swap at roots
//	flatten
//	link      v with all, unless v is in the component that a sample has most of
//	collect   the best value of each root's tree
//	settle    that of its root for each vertex
//
// A forest only ever points down, to lower vertices, so it has no cycles.
type afforest struct {
	p       *solvers.Problem
	parent  forest
	scanned []uint64 // streamed: vertices whose lists have been there
	sending []uint64 // streamed, by Settle: the vertices whose lists are there
	joining *joining // nil: all edges are this session's
}

var _ solvers.Settler = (*afforest)(nil)

// forest is the parent of each vertex; a root is its own.
type forest []uint32

// New leaves bools to package bfs, which never has two values to tell apart.
func New(p *solvers.Problem) solvers.Solver {
	bothWays := !p.Graph.Directed || p.Code.Spec.Edges == algorithms.BothSides
	if !p.Code.OnlyLastCounts() || !bothWays || !p.Code.Process.SendsFirst(p.Code.Spec) ||
		p.Code.Process.Weighting != shape.Unweighted || p.Code.State[0].Bools != nil {
		return nil
	}
	return &afforest{p: p}
}

func (c *afforest) Name() string { return "components by sampled union" }
func (c *afforest) Scratch() uint64 {
	bytes := 4*uint64(c.p.N) + csr.BlockIndexBytes*uint64(parallel.BlockCount(c.p.N))
	if c.p.Mode.FromRows {
		bytes += 16 * uint64(bitmap.Words(c.p.N))
	}
	if c.joining != nil {
		bytes += 8 * uint64(c.p.N)
	}
	return bytes
}

func (c *afforest) Allocate() {
	c.parent = make(forest, c.p.N)
	if c.joining != nil {
		c.joining.first = make([]int64, c.p.N)
	}
	if c.p.Mode.FromRows {
		c.scanned, c.sending = make([]uint64, bitmap.Words(c.p.N)), make([]uint64, bitmap.Words(c.p.N))
	}
}

func (c *afforest) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (uint64, bool,
	error) {
	edges, near := &atomic.Uint64{}, csr.NewBlockIndex(chunks, c.p.N)
	for _, phase := range []func(context.Context) error{
		c.reset,
		func(ctx context.Context) error { return c.eachRow(ctx, near, edges, c.hook) },
		c.flatten,
		func(ctx context.Context) error { return c.eachRow(ctx, near, edges, c.linkSecond) },
		c.flatten,
		func(ctx context.Context) error { return c.linkRest(ctx, chunks, edges) },
		c.collect,
		c.settle,
	} {
		if err := phase(ctx); err != nil {
			return edges.Load(), false, err
		}
	}
	c.p.Progress.Conclude(0, 0)
	tell(c.p.Progress.Report(), edges.Load())
	return edges.Load(), true, nil
}

func (c *afforest) reset(ctx context.Context) error {
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.parent[v] = uint32(v)
		}
	})
}

// eachRow has do look at the rows of each block of vertices, which are [from, to) of a
// chunk, and counts the edges it sees. A vertex is one worker's, whatever the chunks.
func (c *afforest) eachRow(ctx context.Context, near csr.BlockIndex, edges *atomic.Uint64,
	do func(r *csr.Chunk, from, to int) int) error {
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, block, from, to int) {
		looked := 0
		for _, r := range near[block] {
			base := int(r.Rows.Base)
			looked += do(r, r.RowFrom(max(from-base, 0)), r.RowFrom(min(to, int(r.Rows.End()))-base))
		}
		edges.Add(uint64(looked))
	})
}

// hook puts each vertex below its first neighbor if that is lower. Rows are sorted, so it
// is the lowest; and the lowest is likely to be below all others. A neighbor in the same
// block is below another by now, which keeps trees low.
func (c *afforest) hook(r *csr.Chunk, from, to int) (looked int) {
	if from == to {
		return 0 // perhaps there is no such row at all
	}
	base, cols := uint32(r.Rows.Base), uint32(r.Cols.Base)
	block := (base + uint32(r.Local(from))) / parallel.BlockVertices * parallel.BlockVertices
	for row := from; row < to; row++ {
		at := r.Offsets[row]
		if at == r.Offsets[row+1] {
			continue
		}
		looked++
		v, first := base+uint32(r.Local(row)), cols+r.Neighbors[at]
		if first >= v {
			continue
		}
		if first >= block {
			first = c.parent[first]
		}
		c.parent[v] = min(c.parent[v], first)
	}
	return looked
}

// linkSecond links each vertex with its second neighbor.
func (c *afforest) linkSecond(r *csr.Chunk, from, to int) (looked int) {
	base, cols := uint32(r.Rows.Base), uint32(r.Cols.Base)
	for row := from; row < to; row++ {
		if second := r.Offsets[row] + 1; second < r.Offsets[row+1] {
			c.parent.link(base+uint32(r.Local(row)), cols+r.Neighbors[second])
			looked++
		}
	}
	return looked
}

// linkRest links all edges of the vertices outside the largest component. One between
// two components is found from either end, as rows are there for both.
func (c *afforest) linkRest(ctx context.Context, chunks []*csr.Chunk, edges *atomic.Uint64) error {
	largest := c.parent.frequent()
	for _, w := range csr.Batches(chunks, c.p.Heads) {
		err := c.p.Pool.Run(ctx, w.Segments(), func(_, task int) {
			r, s := w.At(task)
			edges.Add(uint64(c.linkSegment(r, s, largest)))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *afforest) linkSegment(r *csr.Chunk, s int, largest uint32) (looked int) {
	base := uint32(r.Cols.Base)
	for from, to, row := r.Segment(s); from < to; row++ {
		end := min(int(r.Offsets[row+1]), to)
		v := uint32(r.Rows.Base) + uint32(r.Local(row))
		if atomic.LoadUint32(&c.parent[v]) != largest {
			for _, u := range r.Neighbors[from:end] {
				c.parent.link(v, base+u)
			}
			looked += end - from
		}
		from = end
	}
	return looked
}

// link joins the trees of u and v: the higher root goes below the lower one.
func (f forest) link(u, v uint32) {
	a, b := atomic.LoadUint32(&f[u]), atomic.LoadUint32(&f[v])
	for a != b {
		low, high := min(a, b), max(a, b)
		above := atomic.LoadUint32(&f[high])
		if above == low || above == high && atomic.CompareAndSwapUint32(&f[high], high, low) {
			return
		}
		a, b = atomic.LoadUint32(&f[above]), atomic.LoadUint32(&f[low])
	}
}

// flatten points every vertex at its root, lower ones first, so that the others find it at once.
func (c *afforest) flatten(ctx context.Context) error {
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.parent.compress(uint32(v))
		}
	})
}

// compress points v at its root, while no worker links. Another worker may be moving those
// above v up; their root stays.
func (f forest) compress(v uint32) (root uint32) {
	parent := atomic.LoadUint32(&f[v])
	root = parent
	for above := atomic.LoadUint32(&f[root]); above != root; above = atomic.LoadUint32(&f[root]) {
		root = above
	}
	if root != parent {
		atomic.StoreUint32(&f[v], root)
	}
	return root
}

// samples is how many vertices are asked for their component, as in the paper. A wrong
// answer costs time and nothing else.
const samples = 1024

// frequent is the root that most of evenly spread vertices have.
func (f forest) frequent() (root uint32) {
	count := map[uint32]int{}
	for i := range samples {
		r := f[uint64(i)*uint64(len(f))/samples]
		if count[r]++; count[r] > count[root] {
			root = r
		}
	}
	return root
}

// collect points every vertex at its root, and gives that the best value of its tree.
func (c *afforest) collect(ctx context.Context) error {
	cells := cellsOf(c.p.Code.State[0], c.p.Acc.Order)
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			if root := c.parent.compress(uint32(v)); int(root) != v {
				cells.lower(root, cells.key(cells.bits[v]))
			}
		}
	})
}

// settle gives each vertex what its root has. No vertex sends after.
func (c *afforest) settle(ctx context.Context) error {
	cells := cellsOf(c.p.Code.State[0], c.p.Acc.Order)
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		clear(c.p.Active[from/64 : bitmap.Words(to)])
		for v := from; v < to; v++ {
			root := int(c.parent[v])
			if root == v {
				continue
			}
			if key := cells.key(cells.bits[root]); key != cells.key(cells.bits[v]) { // a NaN keeps its bits
				cells.bits[v] = cells.value(key)
			}
		}
	})
}
