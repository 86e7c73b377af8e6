// Package coloring colors vertices, none as a neighbor. It takes 16 bytes a vertex.
package coloring

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/worklist"
)

// coloring colors a vertex as soon as all neighbors before it have their colors, as Jones and Plassmann do: the result
// is that of one vertex after the other.
type coloring struct {
	procedures.Input
	ids, color []int64
	sides      []csr.Index // whose lists have all edges of a vertex
	degree     []int32
	pending    []int32 // edges from neighbors before a vertex that have no color yet
	list       *worklist.List
}

func init() {
	procedures.Register("k1-coloring", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "colors of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "color", Type: algorithms.Int})
		return &coloring{Input: f, ids: f.Columns["id"].Ints, color: f.Columns["color"].Ints}, err
	})
}

// Bytes is what Of takes for so many vertices.
func Bytes(n int, p parallel.Pool) uint64 { return 8*uint64(n) + worklist.Bytes(n, p) }

// Of writes the colors of fewer than 2^31 vertices, which other procedures go by.
func Of(ctx context.Context, f procedures.Input, chunks []*csr.Chunk, color []int64, tell func(float64)) error {
	c := &coloring{Input: f, ids: f.Columns["id"].Ints, color: color}
	_, err := c.Call(ctx, chunks, tell)
	return err
}

// Scratch: degrees, what is pending, and the worklist.
func (c *coloring) Scratch() uint64 { return Bytes(c.N, c.Pool) }

func (c *coloring) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	c.degree, c.pending, c.list = make([]int32, c.N), make([]int32, c.N), worklist.New(c.N, c.Pool)
	c.sides = csr.EitherWay(c.Graph.Directed, chunks)
	err := c.Groups(ctx, nil, procedures.Progress{From: 0, To: 0.2, Tell: tell}, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			c.entries(uint32(v), func(uint32) { c.degree[v]++ })
		}
	})
	if err != nil {
		return 0, err
	}
	part := procedures.Progress{From: 0.2, To: 0.4, Tell: tell}
	err = c.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := uint32(from); v < uint32(to); v++ {
			c.entries(v, func(u uint32) {
				if c.before(u, v) {
					c.pending[v]++
				}
			})
			if c.pending[v] == 0 {
				c.list.Buffers[worker].Add(v)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return 4 * csr.Entries(chunks), c.list.Run(ctx, c.visit)
}

// before tells whether u takes its color before v.
func (c *coloring) before(u, v uint32) bool {
	return c.degree[u] > c.degree[v] || c.degree[u] == c.degree[v] && c.ids[u] < c.ids[v]
}

// entries calls visit with the other end of each edge of v but loops.
func (c *coloring) entries(v uint32, visit func(u uint32)) {
	for _, side := range c.sides {
		for _, r := range side.Of(int(v)) {
			base := uint32(r.Cols.Base)
			for _, local := range r.List(int(v)) {
				if u := base + local; u != v {
					visit(u)
				}
			}
		}
	}
}

// visit colors v, and finds what waited for it last.
func (c *coloring) visit(v uint32, found *worklist.Buffer) {
	c.color[v] = c.free(v)
	c.entries(v, func(u uint32) {
		if c.before(v, u) && atomic.AddInt32(&c.pending[u], -1) == 0 {
			found.Add(u)
		}
	})
}

// free is the least color that no neighbor before v has: it looks at 64 colors at a time.
func (c *coloring) free(v uint32) int64 {
	for first := int64(0); ; first += 64 {
		taken := uint64(0)
		c.entries(v, func(u uint32) {
			if c.before(u, v) {
				if color := c.color[u] - first; color >= 0 && color < 64 {
					taken |= 1 << color
				}
			}
		})
		if taken != math.MaxUint64 {
			return first + int64(bits.TrailingZeros64(^taken))
		}
	}
}
