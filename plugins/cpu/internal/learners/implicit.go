package learners

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/als"
)

// preferences learns factors from implicit feedback, by alternating least squares.
type preferences struct{ alternating[float64] }

func newPreferences(in Input) (Learner, error) {
	c, err := newAlternating[float64](in, 0, "als-implicit", "")
	return &preferences{c}, err
}

// EdgeColumns has how often what an edge says was observed; without, that is once.
func (c *preferences) EdgeColumns() []string {
	if label := c.Args.Strings["label"]; label != "" {
		return []string{label}
	}
	return nil
}

// Scratch: as of an alternation, with rows of twice the size; and sums over both sides, of the masters, and of each
// worker with what they were pulled as, by how much they change, and what waits for a master.
func (c *preferences) Scratch() uint64 {
	rank, workers := uint64(c.rank), uint64(c.threads())
	row, sums := 8*rank, 32*rank*(rank+1)
	return c.graphBytes(4) + 16*c.Graph.Edges + uint64(c.N)*(row+64+workers*(2*row+16)) + (1+6*workers)*sums
}

// Learn learns. Edges that are held out are left out.
func (c *preferences) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	return c.learn(ctx, tell, func() error { return c.start(chunks) })
}

// start reads what was observed, and joins both sides.
func (c *preferences) start(chunks []*csr.Chunk) error {
	g, err := c.ratings(chunks)
	if err != nil {
		return err
	}
	for _, r := range g.Edges {
		if x := r.Value(); !(x >= 0) {
			return plugins.Errorf(plugins.KindInvalid, "an edge was observed %v times; give a number of at least 0", x)
		}
	}
	als.Merge(&g.Graph)
	c.users, c.items = g.Left.Vertices, g.Right.Vertices
	floats, o := c.Args.Floats, c.options(&c.telling)
	p := als.Params{Rank: c.rank, L2: floats["l2"], Alpha: floats["alpha"], Tolerance: floats["tolerance"], Seed: o.Seed,
		Workers: o.Workers}
	c.l2, c.joined = p.L2, als.Join(&g.Graph)
	c.course, err = start(c.Input, als.Implicit(p, c.joined), &c.joined.Graph, o)
	return err
}
