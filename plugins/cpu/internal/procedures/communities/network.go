package communities

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// network is a graph with weights, whose edges go both ways: the one that is given, or one whose vertices are
// communities. Weights are whole numbers of a unit, so that their sums are exact, in any order.
type network struct {
	lists
	strength []int64 // of each vertex: its weights, and twice those of its loops
	total    int64   // of strengths
}

// lists are weighted lists without loops. That of v is [starts[v], ends[v]); there may be gaps between lists.
type lists struct {
	starts, ends []uint64
	neighbors    []uint32
	weights      []int64
}

const entryBytes, listBytes = 12, 16

func newLists(vertices int, entries uint64) lists {
	return lists{starts: make([]uint64, vertices), ends: make([]uint64, vertices), neighbors: make([]uint32, entries),
		weights: make([]int64, entries)}
}

func (l *lists) of(v uint32) ([]uint32, []int64) {
	from, to := l.starts[v], l.ends[v]
	return l.neighbors[from:to], l.weights[from:to]
}

func (n *network) vertices() int { return len(n.strength) }

// expected is γ/2m: what chance puts between vertices is that times the product of their strengths.
func (n *network) expected(resolution float64) float64 {
	if n.total == 0 {
		return 0
	}
	return resolution / float64(n.total)
}

// read makes a network of all chunks.
func (r *run) read(ctx context.Context, chunks []*csr.Chunk, part procedures.Progress) error {
	out, in := r.Columns["out_degree"].Ints, r.Columns["in_degree"].Ints
	end := uint64(0)
	for v := range r.N {
		r.base.starts[v] = end
		end += uint64(out[v])
		if r.Graph.Directed {
			end += uint64(in[v])
		}
	}
	most, err := procedures.LargestWeight("modularity", r.ids, chunks)
	if err != nil {
		return err
	}
	scale := math.Ldexp(1, algorithms.CapacityShift(most, int(2*r.entries())))
	var wrong atomic.Bool
	err = r.Groups(ctx, chunks, part, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			limit := end
			if v+1 < r.N {
				limit = r.base.starts[v+1]
			}
			if !r.gather(v, limit, scale, near) {
				wrong.Store(true)
			}
		}
	})
	if wrong.Load() {
		return plugins.Errorf(plugins.KindInvalid, "a vertex has more edges than its degree says")
	}
	for _, k := range r.base.strength {
		r.base.total += k
	}
	return err
}

// gather reads the lists of v, which end before limit.
func (r *run) gather(v int, limit uint64, scale float64, near []*csr.Chunk) bool {
	at, strength := r.base.starts[v], int64(0)
	for _, c := range near {
		from, to := c.EdgeRange(v)
		if uint64(to-from) > limit-at {
			return false
		}
		for edge := from; edge < to; edge++ {
			w := int64(scale)
			if len(c.Weights) > 0 {
				w = int64(math.Round(c.Weights[0][edge] * scale))
			}
			strength += w
			u := uint32(c.Cols.Base) + c.Neighbors[edge]
			switch {
			case u != uint32(v):
				r.base.neighbors[at], r.base.weights[at] = u, w
				at++
			case !r.Graph.Directed:
				strength += w // the list has it once
			}
		}
	}
	r.base.ends[v], r.base.strength[v] = at, strength
	return true
}

// entries is how many neighbors the lists have, at most.
func (r *run) entries() uint64 { return 2 * r.Graph.Edges }
