package maxflow

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// flow goes along shortest ways that have something left, until there is none. (Dinitz 1970.)
type flow struct {
	procedures.Input
	ids            []int64
	side           []bool
	cut            []float64
	out            csr.Index
	source, target uint32
	residual       residual
	level          []int32  // of each vertex, edges from the source; -1: no way leads there
	next           []uint32 // of each vertex, its first arc of which it is not known that it leads nowhere
	queue          []uint32
	way            []uint32 // arcs from the source to where the search is
}

func init() {
	procedures.Register("max-flow", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 || f.Graph.Edges > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "flows of %d vertices and %d edges: up to %d of each",
				f.N, f.Graph.Edges, math.MaxInt32)
		}
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "side", Type: algorithms.Bool}, algorithms.Column{Name: "cut", Type: algorithms.Float})
		if err != nil {
			return nil, err
		}
		return &flow{Input: f, ids: f.Columns["id"].Ints, side: f.Columns["side"].Bools, cut: f.Columns["cut"].Floats}, nil
	})
}

// Scratch: arcs, and what a search knows of vertices.
func (f *flow) Scratch() uint64 { return arcBytes*f.Graph.Edges + vertexBytes*uint64(f.N) + 4 }

func (f *flow) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	ends := [2]int{slices.Index(f.ids, f.Args.Ints["source"]), slices.Index(f.ids, f.Args.Ints["target"])}
	if ends[0] < 0 || ends[1] < 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "the graph has no vertex %d, or none %d", f.Args.Ints["source"],
			f.Args.Ints["target"])
	}
	f.source, f.target = uint32(ends[0]), uint32(ends[1])
	f.out, _ = csr.Sides(f.Graph.Directed, chunks)
	f.level, f.next = make([]int32, f.N), make([]uint32, f.N)
	f.queue, f.way = make([]uint32, 0, f.N), make([]uint32, 0, f.N)
	if err := f.build(chunks); err != nil {
		return 0, err
	}
	edges := 2 * csr.Entries(chunks)
	for f.search(); f.source != f.target && f.level[f.target] >= 0; f.search() {
		copy(f.next, f.residual.starts)
		if err := f.block(ctx); err != nil {
			return edges, err
		}
		edges += csr.Entries(chunks)
	}
	return edges, f.write(ctx)
}

// search finds the level of each vertex.
func (f *flow) search() {
	r := &f.residual
	for v := range f.level {
		f.level[v] = -1
	}
	f.queue, f.level[f.source] = append(f.queue[:0], f.source), 0
	for at := 0; at < len(f.queue); at++ {
		v := f.queue[at]
		for arc := r.starts[v]; arc < r.starts[v+1]; arc++ {
			if u := r.heads[arc]; r.left[arc] > 0 && f.level[u] < 0 {
				f.level[u] = f.level[v] + 1
				f.queue = append(f.queue, u)
			}
		}
	}
}

// block goes along ways that climb a level with each arc until none is left. Arcs that lead nowhere are passed once.
func (f *flow) block(ctx context.Context) error {
	r, v := &f.residual, f.source
	f.way = f.way[:0]
	for steps := 1; ; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch arc := f.climb(v); {
		case v == f.target:
			v = f.send()
		case arc < r.starts[v+1]:
			f.way = append(f.way, arc)
			v = r.heads[arc]
		case len(f.way) == 0:
			return ctx.Err()
		default:
			back := r.pairs[f.way[len(f.way)-1]]
			f.way = f.way[:len(f.way)-1]
			v = r.heads[back]
			f.next[v]++
		}
	}
}

// climb is the next arc of v with something left that leads a level up, or behind its last.
func (f *flow) climb(v uint32) uint32 {
	r := &f.residual
	for ; f.next[v] < r.starts[v+1]; f.next[v]++ {
		if arc := f.next[v]; r.left[arc] > 0 && f.level[r.heads[arc]] == f.level[v]+1 {
			break
		}
	}
	return f.next[v]
}

// send has as much flow along the way as its arcs let through, and goes back to before the first that is used up.
func (f *flow) send() uint32 {
	r, least, first := &f.residual, int64(math.MaxInt64), 0
	for i, arc := range f.way {
		if r.left[arc] < least {
			least, first = r.left[arc], i
		}
	}
	for _, arc := range f.way {
		r.left[arc] -= least
		r.left[r.pairs[arc]] += least
	}
	v := r.heads[r.pairs[f.way[first]]]
	f.way = f.way[:first]
	return v
}

// write tells the vertices that the last search has found, and what their edges to others let through.
func (f *flow) write(ctx context.Context) error {
	return f.Groups(ctx, nil, procedures.Progress{From: 1, To: 1}, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			f.side[v], f.cut[v] = false, 0
			if f.level[v] >= 0 {
				f.side[v], f.cut[v] = true, f.crossing(v)
			}
		}
	})
}

// crossing is how much edges let through from v to the other side.
func (f *flow) crossing(v int) (sum float64) {
	for _, c := range f.out.Of(v) {
		from, to := c.EdgeRange(v)
		for at := from; at < to; at++ {
			if f.level[c.Cols.Base+uint64(c.Neighbors[at])] >= 0 {
				continue
			}
			if len(c.Weights) > 0 {
				sum += c.Weights[0][at]
			} else {
				sum++
			}
		}
	}
	return sum
}

// degree is how many edges lead from v.
func (f *flow) degree(v uint32) (count int) {
	for _, c := range f.out.Of(int(v)) {
		count += len(c.List(int(v)))
	}
	return count
}
