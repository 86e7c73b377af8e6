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
	running[float32, float32, mf.Rating]
	graph   *Bipartite[mf.Rating]
	program *mega.Program[float32, float32, mf.Rating]
	unit    float64 // what a rating of 1 stands for while it learns
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
// sides, and of each worker a mirror with what it was pulled as. A cut by edges copies these.
func (c *factorization) Scratch() uint64 {
	row, edges := 4*uint64(c.rank+mf.Factors+4), c.graphBytes(4)
	if mega.Cut(c.Args.Strings["partition"]).Splits() {
		edges += 8*c.Graph.Edges + 24*uint64(c.N)*uint64(c.threads())
	}
	return edges + uint64(c.N)*(2*row+20+uint64(c.threads())*(2*row+16))
}

// Learn learns. Of edges that are held out, those that tell how large λ is to be come along; others are left out.
func (c *factorization) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	done, edges, err := c.goOn(ctx, c.Input, tell, func() error { return c.start(chunks) })
	if err != nil || !done {
		return edges, err
	}
	if told(c.course.Report(), tell); !c.first() {
		return edges, nil
	}
	state := c.course.State()
	if err = c.store(c.graph.Left, state.Left, c.program.Left.Width()); err == nil {
		err = c.store(c.graph.Right, state.Right, c.program.Right.Shared)
	}
	return edges, err
}

// start reads the ratings.
func (c *factorization) start(chunks []*csr.Chunk) (err error) {
	floats, ints := c.Args.Floats, c.Args.Ints
	if c.graph, err = c.ratings(chunks); err != nil {
		return err
	}
	o := c.options(&c.telling)
	p := mf.Params{Rank: c.rank, Epochs: o.Epochs, Rate: floats["rate"], L2: floats["l2"], BiasL2: floats["bias-l2"],
		Adapt: ints["adapt"] != 0, Late: ints["late"] != 0, Seed: o.Seed, Users: c.graph.Left.Degree,
		Items: c.graph.Right.Degree}
	learn(&p, &c.graph.Graph)
	c.measure(&p)
	mf.HoldLast(&c.graph.Graph)
	c.program = mf.Program(p)
	tell := o.Epoch
	o.Epoch = func(number int, loss float64) { tell(number, loss*c.unit*c.unit) }
	c.course, err = start(c.Input, c.program, &c.graph.Graph, o)
	return err
}

// measure has it learn in mf.Unit, for steps of any size would be too long for hours played, and too short for shares.
// A penalty that is given is one in the unit of ratings; one that is found begins with the same in any.
func (c *factorization) measure(p *mf.Params) {
	c.unit = mf.Unit(p.Variance)
	for i, r := range c.graph.Edges {
		c.graph.Edges[i] = mf.Of(float32(float64(r.Value())/c.unit), r.Held())
	}
	p.Mean, p.Variance = p.Mean/c.unit, p.Variance/c.unit/c.unit
	if !p.Adapt {
		p.L2 /= c.unit
	}
}

// ratings are those that are learned from, or held out; others are left out.
func (in Input) ratings(chunks []*csr.Chunk) (*Bipartite[mf.Rating], error) {
	learned := in.Args.Floats["learned"]
	return Read(in, chunks, false, in.upTo(learned+in.Args.Floats["held"]), func(u, v int, rating float64) mf.Rating {
		return mf.Of(float32(rating), in.place(u, v, learned) >= learned)
	})
}

// learn tells what there is to say of the ratings that are learned from. Those that never are do not count.
func learn(p *mf.Params, g *mega.Graph[mf.Rating]) {
	for u := range g.Lefts() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			if g.Edges[i].Held() && !p.Late {
				p.Users[u]--
				p.Items[g.Targets[i]]--
			}
		}
	}
	p.Mean, p.Variance = moments(g.Edges, p.Late)
}

// moments are the mean and the variance of the ratings that are learned from, with all: of those held out as well.
func moments(ratings []mf.Rating, all bool) (mean, variance float64) {
	sum, squares, n := 0.0, 0.0, 0.0
	for _, r := range ratings {
		if all || !r.Held() {
			x := float64(r.Value())
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	mean = sum / max(n, 1)
	return mean, max(squares/max(n, 1)-mean*mean, 0)
}

// store writes rows of so many numbers, which are in the unit, as rows of vertices. What is no number any more, a sum
// of squares among them, fails: nobody is to keep it as a model.
func (c *factorization) store(of Side, rows []float32, width int) error {
	root := math.Sqrt(c.unit)
	for i, v := range of.Vertices {
		row, own := rows[i*width:][:width], c.rows[int(v)*(1+c.rank):][:1+c.rank]
		for k, x := range row[mf.Bias:][:1+c.rank] {
			if own[k] = x * float32(root); k == 0 {
				own[k] = x * float32(c.unit)
			}
		}
		for _, numbers := range [...][]float32{row, own} {
			for _, x := range numbers {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					return plugins.Errorf(plugins.KindInvalid,
						"mf has diverged: a row has %v; give a smaller rate than %g, or more l2", x, c.Args.Floats["rate"])
				}
			}
		}
	}
	return nil
}
