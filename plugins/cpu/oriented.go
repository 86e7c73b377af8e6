package cpu

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
)

// oriented is the graph without loops and parallel edges, each pair of neighbours
// standing once: in the list of the one of lower degree, which keeps every list shorter
// than the square root of twice the edges. (Schank and Wagner 2005, "forward".)
//
// It takes 4 bytes an edge and 16 a vertex.
type oriented struct {
	starts  []uint64 // of each vertex, into links; n+1 of them
	lengths []uint32 // of each list, which may end before the next one starts
	links   []link
	degrees []uint32 // neighbours of each vertex, in its own list or not
}

// link names a neighbour and, in its two low bits, which edges join the pair: bit 0 from
// the list's vertex to the neighbour, bit 1 back.
type link uint32

const maxLinked = 1 << 30 // vertices that a link can name

func newLink(v int, out bool) link {
	if out {
		return link(v)<<2 | 1
	}
	return link(v)<<2 | 2
}

func (l link) vertex() int { return int(l >> 2) }

// edges is the number of directed edges between the two: 1 or 2.
func (l link) edges() int64 { return int64(bits.OnesCount32(uint32(l) & 3)) }

func orientedBytes(g plugins.Graph) uint64 { return 4*g.Edges + 16*g.Vertices + 8 }

// orient builds the lists: count, place, fill, then sort each and merge its equals.
func (f frame) orient(ctx context.Context, chunks []*resident, p progress) (*oriented, error) {
	o := &oriented{starts: make([]uint64, f.n+1), lengths: make([]uint32, f.n), degrees: make([]uint32, f.n)}
	middle := p.at(0.4)
	err := f.groups(ctx, chunks, progress{p.from, middle, p.tell}, func(_, from, to int, near []*resident) {
		for v := from; v < to; v++ {
			f.above(near, v, func(link) { o.starts[v+1]++ })
		}
	})
	if err != nil {
		return nil, err
	}
	for v := range f.n {
		o.starts[v+1] += o.starts[v]
	}
	if o.starts[f.n] > f.graph.Edges {
		return nil, plugins.Errorf(plugins.KindChunk, "the chunks have more edges than the graph: %d", f.graph.Edges)
	}
	o.links = make([]link, o.starts[f.n])
	err = f.groups(ctx, chunks, progress{middle, p.to, p.tell}, func(_, from, to int, near []*resident) {
		for v := from; v < to; v++ {
			f.fill(o, near, v)
		}
	})
	return o, err
}

// above visits the entries of v's lists whose vertex ranks above v.
func (f frame) above(chunks []*resident, v int, visit func(link)) {
	degrees := func(v int) int64 { return f.columns["out_degree"].Ints[v] + f.columns["in_degree"].Ints[v] }
	own := degrees(v)
	for _, r := range chunks {
		for _, local := range r.list(v) {
			u := int(r.cols.Base) + int(local)
			if other := degrees(u); other > own || other == own && u > v {
				visit(newLink(u, r.out()))
			}
		}
	}
}

// fill makes v's list, sorted by vertex, each once.
func (f frame) fill(o *oriented, chunks []*resident, v int) {
	list := o.links[o.starts[v]:o.starts[v]:o.starts[v+1]]
	f.above(chunks, v, func(l link) { list = append(list, l) })
	slices.Sort(list)
	kept := list[:0]
	for _, l := range list {
		if !f.graph.Directed {
			l |= 3
		}
		if last := len(kept) - 1; last >= 0 && kept[last].vertex() == l.vertex() {
			kept[last] |= l
			continue
		}
		kept = append(kept, l)
		atomic.AddUint32(&o.degrees[l.vertex()], 1)
	}
	o.lengths[v] = uint32(len(kept))
	atomic.AddUint32(&o.degrees[v], uint32(len(kept)))
}

func (o *oriented) list(v int) []link { return o.links[o.starts[v]:][:o.lengths[v]] }
