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
	row := 4 * uint64(c.rank+mf.Factors+2)
	return c.graphBytes(4) + uint64(c.N)*(2*row+16+uint64(c.workers())*(2*row+16))
}

// Learn learns. Of edges that are held out, those that tell how large λ is to be come along; others are left out.
func (c *factorization) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	floats, ints := c.Args.Floats, c.Args.Ints
	learned := floats["learned"]
	g, err := Read(c.Input, chunks, false, c.upTo(learned+floats["held"]), func(u, v int, rating float64) mf.Rating {
		return mf.Of(float32(rating), c.place(u, v, learned) >= learned)
	})
	if err != nil {
		return 0, err
	}
	o := c.options(tell)
	p := mf.Params{Rank: c.rank, Epochs: o.Epochs, Rate: floats["rate"], L2: floats["l2"], BiasL2: floats["bias-l2"],
		Adapt: ints["adapt"] != 0, Late: ints["late"] != 0, Seed: o.Seed, Users: g.Left.Degree, Items: g.Right.Degree}
	learn(&p, &g.Graph)
	holdLast(&g.Graph)
	program := mf.Program(p)
	state, report, err := mega.Run(ctx, program, &g.Graph, o)
	if err != nil {
		return 0, err
	}
	err = c.store(g.Left, state.Left, program.Left)
	if err == nil {
		err = c.store(g.Right, state.Right, program.Right.Shared)
	}
	return told(report, tell), err
}

// learn tells what there is to say of the ratings that are learned from. Those that never are do not count.
func learn(p *mf.Params, g *mega.Graph[mf.Rating]) {
	sum, squares, n := 0.0, 0.0, 0.0
	for u := range g.Lefts() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			r := g.Edges[i]
			if r.Held() && !p.Late {
				p.Users[u]--
				p.Items[g.Targets[i]]--
				continue
			}
			x := float64(r.Value())
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	p.Mean = sum / max(n, 1)
	p.Variance = max(squares/max(n, 1)-p.Mean*p.Mean, 0)
}

// holdLast has the ratings of a user that are held out come last, so that kernels go along the others at once.
func holdLast(g *mega.Graph[mf.Rating]) {
	for u := range g.Lefts() {
		next := g.Offsets[u]
		for i := next; i < g.Offsets[u+1]; i++ {
			if g.Edges[i].Held() {
				continue
			}
			g.Edges[i], g.Edges[next] = g.Edges[next], g.Edges[i]
			g.Targets[i], g.Targets[next] = g.Targets[next], g.Targets[i]
			next++
		}
	}
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
