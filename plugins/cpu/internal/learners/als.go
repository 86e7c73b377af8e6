package learners

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/als"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// alternation learns what a factorization does, by alternating least squares.
type alternation struct{ alternating[float32] }

func newAlternation(in Input) (Learner, error) {
	c, err := newAlternating[float32](in, als.Factors, "als", ", or smaller ratings")
	return &alternation{c}, err
}

// EdgeColumns has the ratings.
func (c *alternation) EdgeColumns() []string { return []string{c.Args.Strings["label"]} }

// Scratch: of each edge its target and rating, by user and then at both ends, and of each vertex an edge to itself; of
// each vertex its row as master, places in both graphs, and of each worker a mirror with what it was pulled as, and the
// equations of a vertex.
func (c *alternation) Scratch() uint64 {
	row, rank := 4*uint64(c.width), uint64(c.rank+1)
	return c.graphBytes(4) + 16*c.Graph.Edges + uint64(c.N)*(row+64+uint64(c.threads())*(2*row+16)) +
		uint64(c.threads())*(4*rank*(rank+1)+64*rank)
}

// Learn learns. Of edges that are held out, those that tell when to end come along; others are left out.
func (c *alternation) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	return c.learn(ctx, tell, func() error { return c.start(chunks) })
}

// start reads the ratings, and joins both sides.
func (c *alternation) start(chunks []*csr.Chunk) error {
	floats := c.Args.Floats
	g, err := c.ratings(chunks)
	if err != nil {
		return err
	}
	c.users, c.items = g.Left.Vertices, g.Right.Vertices
	o := c.options(&c.telling)
	p := als.Params{Rank: c.rank, L2: floats["l2"], BiasL2: floats["bias-l2"], Tolerance: floats["tolerance"], Seed: o.Seed,
		Workers: o.Workers}
	p.Mean, p.Variance = moments(g.Edges, false)
	if p.L2 < 0 {
		p.L2 = als.Penalty * mf.Unit(p.Variance)
	}
	c.l2 = p.L2
	c.joined = als.Join(&g.Graph)
	c.course, err = start(c.Input, als.Program(p, c.joined), &c.joined.Graph, o)
	return err
}
