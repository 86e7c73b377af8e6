// Package maxflow sends as much as edges let through from one vertex to another, and finds the least cut. It takes 32
// bytes an edge and 20 a vertex.
//
//	residual   what is left of each edge, either way       (residual.go)
//	dinitz     rounds of shortest ways, all of one length  (dinitz.go)
package maxflow

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// residual has two arcs for each edge but loops: along it and against it. What flows along one is left for the other.
type residual struct {
	starts []uint32 // of each vertex' arcs
	heads  []uint32
	pairs  []uint32 // of each arc, the one the other way
	left   []int64
}

// arcBytes is what an edge takes, and vertexBytes a vertex.
const (
	arcBytes    = 2 * (4 + 4 + 8)
	vertexBytes = 4 + 4 + 4 + 4 + 4
)

// edges calls visit with each edge once, which fails where it is not good.
func (f *flow) edges(chunks []*csr.Chunk, visit func(v, u uint32, capacity float64) error) error {
	for _, c := range chunks {
		if !c.Out() {
			continue
		}
		for row := range len(c.Offsets) - 1 {
			v := uint32(c.Rows.Base) + uint32(c.Local(row))
			for at := c.Offsets[row]; at < c.Offsets[row+1]; at++ {
				u, capacity := uint32(c.Cols.Base)+c.Neighbors[at], 1.0
				if len(c.Weights) > 0 {
					capacity = c.Weights[0][at]
				}
				if u == v && capacity >= 0 && capacity-capacity == 0 || !f.Graph.Directed && u < v {
					continue
				}
				if err := visit(v, u, capacity); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// build makes the arcs.
func (f *flow) build(chunks []*csr.Chunk) error {
	r, largest := &f.residual, 0.0
	r.starts = make([]uint32, f.N+1)
	err := f.edges(chunks, func(v, u uint32, capacity float64) error {
		if capacity < 0 || capacity-capacity != 0 {
			return plugins.Errorf(plugins.KindInvalid,
				"an edge of vertex %d lets %v through; capacities must be finite and not below 0", f.ids[v], capacity)
		}
		largest = max(largest, capacity)
		r.starts[v+1]++
		r.starts[u+1]++
		return nil
	})
	if err != nil {
		return err
	}
	for v := range f.N {
		r.starts[v+1] += r.starts[v]
	}
	arcs := r.starts[f.N]
	r.heads, r.pairs, r.left = make([]uint32, arcs), make([]uint32, arcs), make([]int64, arcs)
	at := f.next
	copy(at, r.starts)
	shift := algorithms.CapacityShift(largest, f.degree(f.source))
	return f.edges(chunks, func(v, u uint32, capacity float64) error {
		i, j := at[v], at[u]
		at[v]++
		at[u]++
		r.heads[i], r.heads[j], r.pairs[i], r.pairs[j] = u, v, j, i
		if r.left[i] = algorithms.WholeCapacity(capacity, shift); !f.Graph.Directed {
			r.left[j] = r.left[i]
		}
		return nil
	})
}
