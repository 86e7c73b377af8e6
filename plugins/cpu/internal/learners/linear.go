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
	return c, err
}

// EdgeColumns has the values of features, if they have any.
func (c *regression) EdgeColumns() []string {
	if label := c.Args.Strings["label"]; label != "" {
		return []string{label}
	}
	return nil
}

// Scratch: of each edge its target and value; of each vertex two numbers as a feature or a sample, its place and degree
// on both sides, and of each worker a mirror with what it was pulled as.
func (c *regression) Scratch() uint64 {
	return c.graphBytes(4) + uint64(c.N)*(32+uint64(c.workers())*40)
}

// Learn learns: by samples where the penalty is of squares alone, else by features.
func (c *regression) Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (uint64, error) {
	p := linear.Params{L1: c.Args.Floats["l1"], L2: c.Args.Floats["l2"], Workers: c.workers(),
		Slack: max(0, int(c.Args.Ints["lead"])-1)}
	dual := p.L1 == 0 && p.L2 > 0
	var bad error
	g, err := Read(c.Input, chunks, !dual, func(sample, feature int, x float64) (float32, bool) {
		y := c.labels[sample]
		if bad == nil && (math.IsNaN(x) || math.IsInf(float64(float32(x)), 0)) {
			bad = plugins.Errorf(plugins.KindInvalid, "the edge from vertex %d to %d has the value %v, which is no finite number",
				sample, feature, x)
		}
		return y * float32(x), y == y
	})
	if err = cmp.Or(bad, err); err != nil {
		return 0, err
	}
	program, of, counted := linear.Primal(p), g.Left, len(g.Right.Vertices)
	if dual {
		program, of, counted = linear.Dual(p), g.Right, g.Left.learned()
	}
	tellAll, without := tell, float64(c.known()-counted)*math.Ln2 // the loss of those that the program does not know
	tell = func(e plugins.Event) {
		if e.Epoch != nil {
			e.Epoch.Loss += without
		}
		tellAll(e)
	}
	o := c.options(tell)
	if blocks := int(c.Args.Ints["blocks"]); blocks > 0 {
		o.Batch = max(1, len(g.Edges)/(o.Workers*blocks))
	}
	state, report, err := mega.Run(ctx, program, &g.Graph, o)
	if err != nil {
		return 0, err
	}
	rows, width := state.Left, program.Left
	if dual {
		rows, width = state.Right, program.Right.Shared
	}
	for j, v := range of.Vertices {
		w := rows[j*width]
		if math.IsNaN(w) || math.IsInf(float64(float32(w)), 0) {
			return 0, plugins.Errorf(plugins.KindInvalid, "the weight of vertex %d is %v; give a larger penalty, or fewer workers", v, w)
		}
		c.weights[v] = float32(w)
	}
	each(chunks, func(sample, feature int, x float64) { c.margins[sample] += c.weights[feature] * float32(x) })
	return told(report, tell), nil
}

// known is how many samples are learned from.
func (c *regression) known() (n int) {
	for _, y := range c.labels {
		if y == y {
			n++
		}
	}
	return n
}
