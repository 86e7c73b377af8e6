package learners

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/als"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// alternation learns what a factorization does, by alternating least squares.
type alternation struct {
	Input
	rank int
	rows []float32
	end  []float32 // 1: the tolerance has ended it
	running[float32, float32, mf.Rating]
	users, items []uint32 // the vertices of both sides
	joined       *als.Joined
}

func newAlternation(in Input) (Learner, error) {
	c := &alternation{Input: in, rank: int(in.Args.Ints["rank"])}
	var err error
	if c.rows, err = in.Rows.Require("factors", in.N*(als.Factors+c.rank)); err == nil {
		c.end, err = in.Rows.Require("end", 1)
	}
	return c, err
}

// EdgeColumns has the ratings.
func (c *alternation) EdgeColumns() []string { return []string{c.Args.Strings["label"]} }

// Scratch: of each edge its target and rating, by user and then at both ends, and of each vertex an edge to itself; of
// each vertex its row as master, places in both graphs, and of each worker a mirror with what it was pulled as, and the
// equations of a vertex.
func (c *alternation) Scratch() uint64 {
	row, rank := 4*uint64(c.rank+als.Factors), uint64(c.rank+1)
	return c.graphBytes(4) + 16*c.Graph.Edges + uint64(c.N)*(row+64+uint64(c.workers())*(2*row+16)) +
		uint64(c.workers())*(4*rank*(rank+1)+64*rank)
}

// Learn learns. Of edges that are held out, those that tell when to end come along; others are left out.
func (c *alternation) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	done, edges, err := c.goOn(ctx, c.Input, tell, func() error { return c.start(chunks) })
	if err != nil || !done {
		return edges, err
	}
	state, report := c.course.State(), c.course.Report()
	if err = c.store(c.users, c.joined.Users, state.Right); err == nil {
		err = c.store(c.items, c.joined.Items, state.Right)
	}
	if report.Done {
		c.end[0] = 1
	}
	told(report, tell)
	return edges, err
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
	c.joined = als.Join(&g.Graph)
	c.course, err = start(c.Input, als.Program(p, c.joined), &c.joined.Graph, o)
	return err
}

// store writes the rows of a side as rows of vertices. What is no number fails: nobody is to keep it as a model.
func (c *alternation) store(vertices, numbers []uint32, rows []float32) error {
	width := als.Factors + c.rank
	for i, v := range vertices {
		row := rows[int(numbers[i])*width:][:width]
		copy(c.rows[int(v)*width:], row)
		for _, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return plugins.Errorf(plugins.KindInvalid, "als has diverged: a row has %v; give more l2 than %g, or smaller ratings", x,
					c.Args.Floats["l2"])
			}
		}
	}
	return nil
}
