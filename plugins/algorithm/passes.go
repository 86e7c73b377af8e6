package algorithm

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Passes is a computation that is given the lists of all vertices again and again: the semi-external model. What it
// knows of vertices it keeps; lists it has only while they are visited. So the graph need not fit any memory.
//
//	End(0) ──▶ Visit(v, list) of each vertex that Needs says ──▶ End(1) ──▶ Visit … ──▶ End(k): done
type Passes struct {
	// Visit is given the list of a vertex, or a piece of it: other pieces come later in the same pass. Vertices without
	// edges are not visited. Several goroutines visit different vertices at once: what Visit writes must be the vertex'
	// own. incoming: the list is of edges that come to v. Of a directed graph a definition with the edges "both" is given
	// lists of either kind; of an undirected one lists are of all edges, and none is incoming.
	Visit func(v int, list List, incoming bool)
	// End is called before the first pass, with 0, and after each, with its number. It says whether the result is written.
	End func(ctx context.Context, pass int) (done bool, err error)
	// Needs tells whether the next pass needs the list of v; it is asked after End. Where it needs none, that was the last
	// pass. Nil: all lists.
	Needs func(v int) bool
}

// passes is a run of Passes.
type passes struct {
	run
	of        Passes
	needed    []uint64 // a bitmap of vertices, in the arena where the host is to send their lists; nil: all
	iteration plugins.Iteration
	owed      int64 // entries of the lists that the pass needs and has not been given
}

// Call goes over the chunks, which are all there, until the passes have ended.
func (p *passes) Call(ctx context.Context, chunks []*kit.Chunk, tell func(float64)) (edges uint64, err error) {
	p.graph.tell = tell
	if err := p.start(ctx); err != nil {
		return 0, err
	}
	for !p.iteration.Converged {
		for _, c := range chunks {
			n, err := p.visit(ctx, c)
			if edges += n; err != nil {
				return edges, err
			}
		}
		if err := p.end(ctx); err != nil {
			return edges, err
		}
	}
	return edges, nil
}

// neededBytes are those of a bitmap of n vertices.
func neededBytes(n int) uint64 { return uint64(n+63) / 64 * 8 }

// start begins the passes.
func (p *passes) start(ctx context.Context) (err error) {
	p.begin()
	p.iteration, p.owed = plugins.Iteration{Number: -1}, 0
	if p.of, err = p.algorithm.Passes(ctx, p.graph, p.args, p.result); err != nil {
		return err
	}
	if p.needed == nil && p.of.Needs != nil {
		p.needed = make([]uint64, neededBytes(p.graph.N())/8)
	}
	return p.end(ctx)
}

// end ends a pass, and says what the next needs.
func (p *passes) end(ctx context.Context) error {
	if p.owed != 0 {
		return plugins.Errorf(plugins.KindInvalid, "a pass has ended that lacks %d entries of the lists that it needs", p.owed)
	}
	p.iteration.Number++
	done, err := p.of.End(ctx, p.iteration.Number)
	if err != nil {
		return err
	}
	clear(p.needed)
	p.iteration.Active = 0
	for v := range p.graph.N() {
		if !done && (p.of.Needs == nil || p.of.Needs(v)) {
			p.iteration.Active++
			p.owed += p.entries(v)
			if p.needed != nil {
				p.needed[v/64] |= 1 << (v % 64)
			}
		}
	}
	if p.iteration.Converged = p.iteration.Active == 0; p.iteration.Converged {
		if err := p.graph.table.end(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// entries are those that the lists of v have, of the edges that the algorithm reads.
func (p *passes) entries(v int) int64 {
	g := p.graph
	switch {
	case !g.Directed || p.edges == algorithms.Forward:
		return g.degrees[out][v]
	case p.edges == algorithms.Backward:
		return g.degrees[in][v]
	}
	return g.degrees[out][v] + g.degrees[in][v]
}

// visit visits the rows of a chunk that are needed.
func (p *passes) visit(ctx context.Context, c *kit.Chunk) (edges uint64, err error) {
	incoming := c.Meta().Direction == chunk.In
	var visited atomic.Int64
	err = blocks(ctx, p.graph.threads, c.Rows(), func(from, to int) {
		for row := from; row < to; row++ {
			v := int(c.Vertex(row))
			l := pieceOf(c, row)
			if len(l.neighbors) > 0 && (p.needed == nil || p.needed[v/64]>>(v%64)&1 != 0) {
				visited.Add(int64(len(l.neighbors)))
				p.of.Visit(v, List{piece: l}, incoming)
			}
		}
	})
	p.owed -= visited.Load()
	return uint64(c.Edges()), err
}

// streamed is a run of Passes whose lists come as they are asked for.
type streamed struct{ *passes }

// Init names the lists of the first pass.
func (s streamed) Init(ctx context.Context) error { return s.start(ctx) }

// Step visits what a chunk has of them.
func (s streamed) Step(ctx context.Context, c *kit.Chunk) (uint64, error) { return s.visit(ctx, c) }

// Apply ends a pass.
func (s streamed) Apply(ctx context.Context) error { return s.end(ctx) }

// Iteration is how many passes have ended, and how many lists the next needs.
func (s streamed) Iteration() *plugins.Iteration {
	it := s.iteration
	return &it
}
