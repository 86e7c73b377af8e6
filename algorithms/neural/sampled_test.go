package neural_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/algorithms/neural/sample"
	"github.com/penstock-db/penstock/internal/testseed"
)

// inLists are lists in memory.
type inLists [][]uint32

func (l inLists) Degree(v uint32) int { return len(l[v]) }

func (l inLists) Read(v uint32, places []int, others []uint32, _ [][]float64, _ int) error {
	if places == nil {
		copy(others, l[v])
	}
	for i, place := range places {
		others[i] = l[v][place]
	}
	return nil
}

// What a linear model says of a vertex by a sample of its neighbors is right in the mean, whether it adds up, takes the
// mean, or weighs by a softmax of equal weights: an estimate of what it says over all of them. A sum that is not
// scaled up, or a mean by the wrong degree, would be off by a factor.
func TestSampled_Unbiased(t *testing.T) {
	seed := testseed.New(t)
	const n, degree, fanout, draws = 40, 12, 3, 4000
	for name, l := range map[string]neural.Layer{
		"sum":  {Edge: "src.h * W", Gather: "sum", Vertex: "acc", Width: "outputs"},
		"mean": {Edge: "src.h * W", Gather: "mean", Vertex: "acc", Width: "outputs"},
		"gcn": {Edge: "src.h * W / (sqrt(src.out_degree) * sqrt(dst.in_degree))", Gather: "sum", Vertex: "acc",
			Width: "outputs"},
		"softmax": {Edge: "softmax(dot(dst.h, A)) * (src.h * W)", Gather: "sum", Vertex: "acc", Width: "outputs"},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			c, err := neural.Compile(neural.Model{Name: name, Layers: []neural.Layer{l}},
				neural.Schema{Features: 2, Outputs: 2, Sampled: true})
			if err != nil {
				t.Fatal(err)
			}
			lists, out := make(inLists, n), make([]float64, n)
			for v := range lists {
				for range degree {
					u := r.IntN(n)
					lists[v] = append(lists[v], uint32(u))
					out[u]++
				}
			}
			x := neuraltest.Normal(r, dataflow.NewMatrix(n, 2))
			parameters := map[string]dataflow.Matrix{}
			for _, p := range c.Learned {
				parameters[p.Value.Name] = neuraltest.Normal(r, dataflow.NewMatrix(p.Value.Rows, p.Value.Width))
			}
			values := dataflow.Order(c.Program.Values, c.Program.Output)
			say := func(g *sample.Graph) []float64 {
				d := &dataflow.Data{Vertices: len(g.Vertices), Parameters: parameters, Inputs: map[string]dataflow.Matrix{}}
				for _, name := range []string{neural.InputInDegree, neural.InputOutDegree, neural.InputPerSample} {
					d.Inputs[name] = dataflow.NewMatrix(len(g.Vertices), 1)
				}
				d.Inputs[neural.InputFeatures] = dataflow.NewMatrix(len(g.Vertices), 2)
				for row, v := range g.Vertices {
					copy(d.Inputs[neural.InputFeatures].Row(row), x.Row(int(v)))
					d.Inputs[neural.InputInDegree].Of[row] = float64(g.Degrees[row])
					d.Inputs[neural.InputOutDegree].Of[row] = out[v]
					d.Inputs[neural.InputPerSample].Of[row] = float64(g.PerSample[row])
					for e := g.Offsets[row]; e < g.Offsets[row+1]; e++ {
						d.Sources, d.Targets = append(d.Sources, g.Others[e]), append(d.Targets, uint32(row))
					}
				}
				known, err := dataflow.Evaluate(values, d)
				if err != nil {
					t.Fatal(err)
				}
				return known[c.Program.Output].Row(0)
			}
			sampler := sample.Sampler{Lists: lists, Seed: seed, Threads: 1, Fanouts: sample.Fanouts{sample.All}}
			sampler.NewRows(n)
			var g sample.Graph
			cut := func(epoch int) []float64 {
				if err := sampler.Cut(t.Context(), epoch, []uint32{7}, &g); err != nil {
					t.Fatal(err)
				}
				return say(&g)
			}
			want := cut(0)
			sampler.Fanouts = sample.Fanouts{fanout}
			for k := range want {
				sum, squares := 0.0, 0.0
				for epoch := range draws {
					said := cut(epoch)[k]
					sum, squares = sum+said, squares+said*said
				}
				mean := sum / draws
				off := math.Sqrt(max(squares/draws-mean*mean, 0) / draws)
				if math.Abs(mean-want[k]) > 6*off+1e-9 {
					t.Errorf("it says %v ± %v in the mean, and %v over all neighbors", mean, off, want[k])
				}
			}
		})
	}
}
