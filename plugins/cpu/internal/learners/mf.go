package learners

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// factorization learns from ratings a row of each vertex: its bias, and factors.
type factorization struct {
	Input
	rank int
	rows []float32
}

func newFactorization(in Input) (Learner, error) {
	c := &factorization{Input: in, rank: int(in.Args.Ints["rank"])}
	var err error
	c.rows, err = in.Rows.Require("factors", in.N*(1+c.rank))
	return c, err
}

// EdgeColumns has the ratings.
func (c *factorization) EdgeColumns() []string { return []string{c.Args.Strings["label"]} }

// Scratch: of each edge its target and rating; of each vertex its row as user and master, its place and degree on both
// sides, and of each worker a mirror with what it was pulled as.
func (c *factorization) Scratch() uint64 {
	row := 4 * uint64(c.rank+mf.Factors+1)
	return c.graphBytes(4) + uint64(c.N)*(2*row+16+uint64(c.workers())*(2*row+16))
}

// Learn learns. Edges that are held out it leaves out.
func (c *factorization) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	g, err := Read(c.Input, chunks, false, c.learns, func(_, _ int, rating float64) float32 { return float32(rating) })
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, rating := range g.Edges {
		sum += float64(rating)
	}
	o := c.options(tell)
	p := mf.Program(mf.Params{Rank: c.rank, Epochs: o.Epochs, Rate: c.Args.Floats["rate"], L2: c.Args.Floats["l2"],
		Mean: sum / float64(len(g.Edges)), Seed: o.Seed, Users: g.Left.Degree, Items: g.Right.Degree})
	state, report, err := mega.Run(ctx, p, &g.Graph, o)
	if err != nil {
		return 0, err
	}
	err = c.store(g.Left, state.Left, p.Left)
	if err == nil {
		err = c.store(g.Right, state.Right, p.Right.Shared)
	}
	return told(report, tell), err
}

// store writes rows of so many numbers as rows of vertices. What is no number any more, a sum of squares among them,
// fails: nobody is to keep it as a model.
func (c *factorization) store(of Side, rows []float32, width int) error {
	for i, v := range of.Vertices {
		row := rows[i*width:][:width]
		copy(c.rows[int(v)*(1+c.rank):][:1+c.rank], row[mf.Bias:])
		for _, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return plugins.Errorf(plugins.KindInvalid, "mf has diverged: a row has %v; give a smaller rate than %g, or more l2",
					x, c.Args.Floats["rate"])
			}
		}
	}
	return nil
}
