package triangles

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// oriented is the graph without loops and parallel edges, each pair of neighbors
// standing once: in the list of the one of lower degree, which keeps every list about as
// short as the square root of twice the edges. (Schank and Wagner 2005, "forward".)
// Vertices go by rank, the highest degree first; so a list names only smaller ranks,
// those of the hubs before the others.
//
// It takes 4 bytes an edge and 16 a vertex.
type oriented struct {
	ranks   []uint32 // of each vertex
	starts  []uint64 // of each rank, into links; lists lie in any order
	lengths []uint32
	links   []link
	used    atomic.Uint64 // links
}

// link names a neighbor by rank and, in its two low bits, which edges join the pair:
// bit 0 from the list's vertex to the neighbor, bit 1 back.
type link uint32

const maxLinked = 1 << 30 // vertices that a link can name

func (l link) rank() int { return int(l >> 2) }

// edges is the number of directed edges between the two: 1 or 2.
func (l link) edges() int64 { return int64(bits.OnesCount32(uint32(l) & 3)) }

func orientedBytes(g plugins.Graph) uint64 { return 4*g.Edges + 16*g.Vertices }

// orient ranks the vertices and makes their lists.
func (c *Counter) orient(ctx context.Context, chunks []*csr.Chunk, tallies []tally, p procedures.Progress) (*oriented,
	error) {
	ranks, err := rank(ctx, c.Columns["out_degree"].Ints, c.Columns["in_degree"].Ints, c.bound.excludes)
	if err != nil {
		return nil, err
	}
	o := &oriented{ranks: ranks, starts: make([]uint64, c.N), lengths: make([]uint32, c.N),
		links: make([]link, c.Graph.Edges)}
	err = c.Groups(ctx, chunks, p, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to && ctx.Err() == nil; v++ {
			if !c.bound.excludes(v) { // nor does it stand in another list, being of the last ranks
				c.fill(o, near, v, &tallies[worker])
			}
		}
	})
	if err == nil && o.used.Load() > c.Graph.Edges {
		err = plugins.Errorf(plugins.KindChunk, "the chunks have more edges than the graph: %d", c.Graph.Edges)
	}
	return o, err
}

// fill makes v's list: room for its entries of smaller rank, then each of them once.
func (c *Counter) fill(o *oriented, chunks []*csr.Chunk, v int, t *tally) {
	own := o.ranks[v]
	room := o.above(chunks, v)
	end := o.used.Add(room)
	if end > uint64(len(o.links)) {
		return // orient sees it
	}
	list := o.links[end-room:][:0:room]
	for _, r := range chunks {
		ranks, edges := o.ranks[r.Cols.Base:r.ColsEnd()], c.joins(r)
		for _, u := range r.List(v) {
			rank := ranks[u]
			if rank >= own {
				continue
			}
			if t.joined[rank] == 0 {
				list = append(list, link(rank)<<2)
			}
			t.joined[rank] |= edges
		}
	}
	t.settle(list)
	c.hubsFirst(list)
	o.starts[own], o.lengths[own] = end-room, uint32(len(list))
}

// above is the number of entries of v's lists that rank above v.
func (o *oriented) above(chunks []*csr.Chunk, v int) (count uint64) {
	own := o.ranks[v]
	for _, r := range chunks {
		ranks := o.ranks[r.Cols.Base:r.ColsEnd()]
		for _, u := range r.List(v) {
			if ranks[u] < own {
				count++
			}
		}
	}
	return count
}

// joins are the link bits of an entry of r's lists. Where direction does not matter, all
// pairs are joined both ways.
func (c *Counter) joins(r *csr.Chunk) uint8 {
	switch {
	case c.symmetric:
		return 3
	case r.Out():
		return 1
	}
	return 2
}

// settle moves the marks of a list into its links.
func (t *tally) settle(list []link) {
	for i, l := range list {
		list[i] |= link(t.joined[l.rank()])
		t.joined[l.rank()] = 0
	}
}

// hubsFirst swaps the hubs of a list to its front.
func (c *Counter) hubsFirst(list []link) {
	front := 0
	for i, l := range list {
		if l.rank() < c.hubs {
			list[front], list[i] = l, list[front]
			front++
		}
	}
}

func (o *oriented) list(rank int) []link { return o.links[o.starts[rank]:][:o.lengths[rank]] }
