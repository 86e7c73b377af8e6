package onnxmodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// compute has ONNX Runtime compute a model of a graph.
func compute(t *testing.T, runtime *ort.Runtime, file []byte, values []*dataflow.Value, d *dataflow.Data,
	width int) []float32 {
	t.Helper()
	session, err := runtime.NewSession(file, ort.Options{})
	must(t, err)
	defer session.Close()
	b, err := session.Bind()
	must(t, err)
	defer b.Close()
	must(t, b.BindInput(InputFeatures, onnx.Float32, []int64{int64(d.Vertices), int64(d.Inputs["x"].Width)},
		onnx.Bytes(single(d.Inputs["x"].Of))))
	if neural.LooksAtEdges(values) {
		ends := make([]int64, 0, 2*len(d.Sources))
		for _, list := range [][]uint32{d.Sources, d.Targets} {
			for _, v := range list {
				ends = append(ends, int64(v))
			}
		}
		must(t, b.BindInput(InputEdges, onnx.Int64, []int64{2, int64(len(d.Sources))}, onnx.Bytes(ends)))
	}
	for _, name := range dataflow.EdgeProperties(values) {
		must(t, b.BindInput(InputProperty+name, onnx.Float32, []int64{int64(len(d.Sources)), 1},
			onnx.Bytes(single(d.Properties[name]))))
	}
	out := make([]float32, d.Vertices*width)
	must(t, b.BindOutput(Output, onnx.Float32, []int64{int64(d.Vertices), int64(width)}, onnx.Bytes(out)))
	must(t, b.Run(t.Context()))
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func single(of []float64) []float32 {
	list := make([]float32, len(of))
	for i, x := range of {
		list[i] = float32(x)
	}
	return list
}

// randomData is a graph with a vertex and an edge at least, for ONNX Runtime binds no empty tensor.
func randomData(r *rand.Rand) *dataflow.Data {
	for {
		if d := neuraltest.RandomData(r); len(d.Sources) > 0 {
			return d
		}
	}
}

// agree fails unless got is what the oracle says of v, to single precision.
func agree(t *testing.T, values []*dataflow.Value, v *dataflow.Value, d *dataflow.Data, got []float32) {
	t.Helper()
	known, err := dataflow.Evaluate(values, d)
	must(t, err)
	for i, want := range known[v].Of {
		if math.Abs(float64(got[i])-want) > 1e-3*(1+math.Abs(want)) {
			t.Fatalf("number %d is %v, want %v", i, got[i], want)
		}
	}
}

// Every built-in model says as ONNX model what the oracle says, of graphs with loops, parallel edges and vertices
// without edges.
func TestEncode(t *testing.T) {
	runtime := orttest.Runtime(t)
	r := testseed.Rand(t)
	models := []neural.Model{weighted}
	for _, name := range neural.Names() {
		m, _ := neural.Lookup(name)
		models = append(models, m)
	}
	for _, architecture := range models {
		t.Run(architecture.Name, func(t *testing.T) {
			m := &trained.Model{Name: "m", Architecture: architecture,
				Schema: neural.Schema{Features: 4, Outputs: 3, EdgeProperties: []string{"weight"}}}
			c, err := neural.Compile(architecture, m.Schema)
			must(t, err)
			parameters := map[string]dataflow.Matrix{}
			for _, l := range c.Learned {
				numbers := neuraltest.Normal(r, dataflow.NewMatrix(l.Value.Rows, l.Value.Width))
				for i := range numbers.Of {
					numbers.Of[i] = float64(float32(numbers.Of[i] / 4))
				}
				parameters[l.Value.Name] = numbers
				m.Parameters = append(m.Parameters, trained.Parameter{Name: l.Value.Name, Rows: l.Value.Rows,
					Width: l.Value.Width, Numbers: single(numbers.Of)})
			}
			file, err := Encode(m)
			must(t, err)
			for range 20 {
				d := randomData(r)
				d.Parameters = parameters
				values := dataflow.Order(c.Program.Values, c.Program.Output)
				got := compute(t, runtime, file, values, d, 3)
				agree(t, values, c.Program.Output, prepared(t, d, architecture.SelfLoops), got)
			}
		})
	}
}

// Random programs, with every operator that an expression can become, say what the oracle says.
func TestEncode_RandomPrograms(t *testing.T) {
	runtime := orttest.Runtime(t)
	r := testseed.Rand(t)
	programs := 20
	if long.Tests() {
		programs = 300
	}
	for range programs {
		d := randomData(r)
		p := neuraltest.Grow(r, r.IntN(2) == 0, d)
		values := dataflow.Order(p.Values, p.Output)
		numbers := map[string][]float32{}
		for name, m := range d.Parameters {
			numbers[name] = single(m.Of)
		}
		file, err := encode("m", values, p.Output, numbers, false)
		must(t, err)
		agree(t, values, p.Output, prepared(t, d, false), compute(t, runtime, file, values, d, p.Output.Width))
	}
}

// weighted reads a property of edges, and makes each vertex a neighbor of itself.
var weighted = neural.Model{Name: "weighted", SelfLoops: true, Layers: []neural.Layer{{
	Edge: "softmax(leaky_relu(edge.weight + src.x * A, 0.1)) * (src.x * W)", Gather: "max",
	Vertex: "concat(self.out_degree, acc) * V", Width: "outputs", Widths: map[string]string{"A": "1", "W": "5"}}}}

// prepared is d without dropouts and, with loops, each vertex a neighbor of itself, as devices have it.
func prepared(t *testing.T, d *dataflow.Data, loops bool) *dataflow.Data {
	t.Helper()
	degrees := make([]int64, d.Vertices)
	for _, s := range d.Sources {
		degrees[s]++
	}
	b := adjacency.NewBuilder(0, degrees, []string{"weight"}, loops)
	for e, s := range d.Sources {
		if !b.Add(int(s), 0, []uint32{d.Targets[e]}, [][]float64{{d.Properties["weight"][e]}}) {
			t.Fatal("a list is too long")
		}
	}
	lists, err := b.Complete()
	must(t, err)
	in, out := dataflow.NewMatrix(d.Vertices, 1), dataflow.NewMatrix(d.Vertices, 1)
	full := &dataflow.Data{Vertices: d.Vertices, Targets: lists.Others, Properties: lists.Properties,
		Parameters: d.Parameters, Dropout: dataflow.Dropout{Off: true},
		Inputs: map[string]dataflow.Matrix{"x": d.Inputs["x"], "in_degree": in, "out_degree": out}}
	for v := range d.Vertices {
		for e := lists.Offsets[v]; e < lists.Offsets[v+1]; e++ {
			full.Sources = append(full.Sources, uint32(v))
			out.Of[v]++
			in.Of[lists.Others[e]]++
		}
	}
	return full
}
