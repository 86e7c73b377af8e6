package learners

import (
	"cmp"
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/linear"
)

// regression learns a weight of each feature from samples, the edges of which lead to their features.
type regression struct {
	Input
	labels  []float32 // of samples: -1 or 1; NaN: it is not learned from
	weights []float32 // of features
	margins []float32 // of samples: w·x
	end     []float32 // a linear.Ending
	running[float64, float64, float32]
	graph   *Bipartite[float32]
	program *mega.Program[float64, float64, float32]
	dual    bool // it goes along samples
}

func newRegression(in Input) (Learner, error) {
	c := &regression{Input: in}
	var err error
	if c.labels, err = in.Rows.Require("labels", in.N); err == nil {
		c.weights, err = in.Rows.Require("weights", in.N)
	}
	if err == nil {
		c.margins, err = in.Rows.Require("margins", in.N)
	}
	if err == nil {
		c.end, err = in.Rows.Require("end", linear.EndingWidth)
	}
	return c, err
}

// EdgeColumns has the values of features, if they have any.
func (c *regression) EdgeColumns() []string {
	if label := c.Args.Strings["label"]; label != "" {
		return []string{label}
	}
	return nil
}

// Scratch: of each edge its target and value; of each vertex three numbers as a left one, its place in a random order,
// and two numbers as a right one, its place and degree on both sides, three numbers for the gap, and of each worker a
// mirror of six numbers with what it was pulled as, and when, and how many changes are likely to be unheard of.
// Newton's method has the weights beside what it takes.
func (c *regression) Scratch() uint64 {
	return c.graphBytes(4) + uint64(c.N)*(96+8+uint64(c.threads())*96) + linear.NewtonBytes(uint64(c.N), c.Graph.Edges)
}

// Learn learns: by features where it is to or that is sooner, else by samples.
func (c *regression) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	done, edges, err := c.goOn(ctx, c.Input, tell, func() error { return c.start(chunks) })
	if err != nil || !done {
		return edges, err
	}
	state, report := c.course.State(), c.course.Report()
	if told(report, tell); !c.first() {
		return edges, nil
	}
	of, rows, width := c.graph.Right, state.Right, c.program.Right.Shared
	if !c.dual {
		of, rows, width = c.graph.Left, state.Left, c.program.Left.Width()
	}
	if err := c.store(of, rows, width); err != nil {
		return edges, err
	}
	return edges, c.conclude(ctx, chunks, state.Left, report.Done)
}

// conclude says how near the best it has come, in so many epochs or as near as was asked for. Along features, Newton's
// method goes on from where epochs have come.
func (c *regression) conclude(ctx context.Context, chunks []*csr.Chunk, lefts []float64, done bool) (err error) {
	p, least, how := c.params(), 0.0, linear.Ending{Primal: !c.dual, Remaining: math.Inf(1)}
	if how.Primal {
		if least, how.Steps, err = c.newton(ctx, p, chunks, done); err != nil {
			return err
		}
	}
	margins := c.measure(chunks)
	if c.dual {
		least = p.Bound(c.samples(chunks), c.betas(lefts))
	}
	if least > 0 {
		how.Remaining = c.objective(p, margins)/least - 1
	}
	how.Converged = c.dual && done || how.Remaining <= p.Tolerance
	how.Write(c.end)
	return nil
}

// newton brings weights within the tolerance of the best, if it is to, and returns what the objective is nowhere below,
// and in how many steps.
func (c *regression) newton(ctx context.Context, p linear.Params, chunks []*csr.Chunk, move bool) (least float64,
	steps int, err error) {
	const kept = 0.999 // the rest may be lost where weights are kept in 32 bits
	most := 0
	if move {
		most = 100
	}
	w := make([]float64, c.N)
	for v, x := range c.weights {
		w[v] = float64(x)
	}
	least, steps, err = p.Newton(ctx, c.samples(chunks), w, kept*p.Tolerance, most)
	for v, x := range w {
		c.weights[v] = float32(x)
	}
	return least, steps, err
}

func (c *regression) params() linear.Params {
	return linear.Params{L1: c.Args.Floats["l1"], L2: c.Args.Floats["l2"], Tolerance: c.Args.Floats["tolerance"],
		Workers: c.workers(), Slack: int(c.Args.Ints["slack"])}
}

// start reads the samples.
func (c *regression) start(chunks []*csr.Chunk) (err error) {
	p := c.params()
	c.dual = c.Args.Ints["primal"] == 0 && c.sooner(p, chunks)
	if c.graph, err = c.read(chunks, !c.dual); err != nil {
		return err
	}
	counted := c.graph.Left.learned()
	if !c.dual {
		counted = len(c.graph.Right.Vertices)
	}
	p.Constant = c.unknown(counted)
	if c.program = linear.Dual(p); !c.dual {
		c.program = linear.Primal(p)
	}
	o := c.options(&c.telling)
	if tell := o.Epoch; tell != nil {
		o.Epoch = func(epoch int, loss float64) { tell(epoch, loss+p.Constant) }
	}
	o.Batches = p.Blocks(int(c.Args.Ints["blocks"]), len(c.graph.Targets), c.graph.Rights)
	c.course, err = start(c.Input, c.program, &c.graph.Graph, o)
	return err
}

// sooner says whether samples converge sooner than features.
func (c *regression) sooner(p linear.Params, chunks []*csr.Chunk) bool {
	squares, known := 0.0, 0
	eachList(chunks, func(sample, _ int, _ []uint32, values []float64) {
		if y := c.labels[sample]; y != y {
			return
		}
		for _, x := range values {
			squares += x * x
		}
	})
	for _, y := range c.labels {
		if y == y {
			known++
		}
	}
	return p.Sooner(squares / float64(known))
}

// known keeps the edges of samples that are learned from; nil: they all are.
func (c *regression) known(chunks []*csr.Chunk) (keep func(sample, feature int) bool) {
	eachList(chunks, func(sample, _ int, features []uint32, _ []float64) {
		if y := c.labels[sample]; y != y && len(features) > 0 {
			keep = func(sample, _ int) bool { return c.labels[sample] == c.labels[sample] }
		}
	})
	return keep
}

// read makes the bipartite graph, the value of an edge being y x.
func (c *regression) read(chunks []*csr.Chunk, reversed bool) (*Bipartite[float32], error) {
	var bad error
	g, err := Read(c.Input, chunks, reversed, c.known(chunks),
		func(sample, feature int, x float64) float32 {
			z := c.labels[sample] * float32(x)
			if z-z != 0 && bad == nil {
				bad = plugins.Errorf(plugins.KindInvalid, "the edge from vertex %d to %d has the value %v, which is no finite number",
					sample, feature, x)
			}
			return z
		})
	return g, cmp.Or(bad, err)
}

// unknown is the loss of samples that are learned from beside those that the program knows, which are so many.
func (c *regression) unknown(counted int) float64 {
	known := 0
	for _, y := range c.labels {
		if y == y {
			known++
		}
	}
	return float64(known-counted) * math.Ln2
}

// store keeps the weights of features, which come first in rows of so many numbers.
func (c *regression) store(of Side, rows []float64, width int) error {
	for j, v := range of.Vertices {
		w := rows[j*width]
		if math.IsNaN(w) || math.IsInf(float64(float32(w)), 0) {
			return plugins.Errorf(plugins.KindInvalid, "the weight of vertex %d is %v; give a larger penalty, or fewer workers", v, w)
		}
		c.weights[v] = float32(w)
	}
	return nil
}
