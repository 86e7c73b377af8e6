package instance

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// drawnModel is a model of one to three random layers, that learns by steps along its gradients. All functions are
// smooth, so that single precision and double do not part at a kink.
func drawnModel(r *rand.Rand) neural.Model {
	m := neural.Model{Name: "drawn", SelfLoops: r.IntN(2) == 0, Sizes: map[string]int{"hidden": 1 + r.IntN(6)},
		Training: neural.Training{Optimizer: neural.SGD, LearningRate: 0.2, Epochs: 3}}
	edges := []string{"src.h", "tanh(src.h * E)", "sigmoid(dst.h * E + src.h * F) * src.h",
		"src.h / (1.0 + src.out_degree + dst.in_degree)", "softmax(tanh(dot(src.h, G) + dot(dst.h, H))) * src.h"}
	if !m.SelfLoops { // a loop that a model adds has a weight of its own
		edges = append(edges, "src.h * edge.weight", "tanh(src.h * E + edge.weight) * sigmoid(dst.h * F)")
	}
	vertices := []string{"tanh(acc * V + B)", "tanh(concat(self.h, acc) * V)", "acc * V / (1.0 + self.in_degree)"}
	for k := range 1 + r.IntN(3) {
		m.Layers = append(m.Layers, neural.Layer{Edge: edges[r.IntN(len(edges))],
			Gather: []string{"sum", "mean", "max"}[r.IntN(3)], Vertex: vertices[r.IntN(len(vertices))], Width: "hidden"})
		switch edge := m.Layers[k].Edge; {
		case strings.Contains(edge, "* F)"):
			m.Layers[k].Widths = map[string]string{"E": "1", "F": "1"}
		case strings.Contains(edge, "* E)"):
			m.Layers[k].Widths = map[string]string{"E": "hidden"}
		}
	}
	m.Layers[len(m.Layers)-1].Width = "outputs"
	return m
}

// oracleData is the tables of a graph as the oracle reads them, all vertices of which are learned from.
func oracleData(nodes, edges string, orientation formats.Orientation, m *host.Trained) *dataflow.Data {
	d := &dataflow.Data{Properties: map[string][]float64{}, Parameters: map[string]dataflow.Matrix{},
		Inputs: map[string]dataflow.Matrix{}}
	lines := func(table string) [][]string {
		var rows [][]string
		for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
			rows = append(rows, strings.Split(line, ","))
		}
		return rows
	}
	number := func(text string) float64 {
		x, _ := strconv.ParseFloat(text, 64)
		return x
	}
	vertices := lines(nodes)
	d.Vertices = len(vertices)
	for name, width := range map[string]int{neural.InputFeatures: 4, neural.InputWanted: 1, neural.InputWeight: 1,
		neural.InputInDegree: 1, neural.InputOutDegree: 1} {
		d.Inputs[name] = dataflow.NewMatrix(d.Vertices, width)
	}
	for v, row := range vertices {
		for k, x := range strings.Split(row[1], ";") {
			d.Inputs[neural.InputFeatures].Of[4*v+k] = float64(float32(number(x)))
		}
		d.Inputs[neural.InputWanted].Of[v] = float64(slices.Index(m.Model.Classes, row[3]))
		d.Inputs[neural.InputWeight].Of[v] = 1 / float64(d.Vertices)
	}
	add := func(u, v int, weight float64) {
		d.Sources, d.Targets = append(d.Sources, uint32(u)), append(d.Targets, uint32(v))
		d.Properties["weight"] = append(d.Properties["weight"], weight)
		d.Inputs[neural.InputOutDegree].Of[u]++
		d.Inputs[neural.InputInDegree].Of[v]++
	}
	loops := m.Model.Architecture.SelfLoops
	for _, row := range lines(edges) {
		u, v := int(number(row[0])), int(number(row[1]))
		if u == v && loops {
			continue
		}
		if add(u, v, number(row[2])); u != v && orientation == formats.Undirected {
			add(v, u, number(row[2]))
		}
	}
	for v := range d.Vertices {
		if loops {
			add(v, v, 1)
		}
	}
	return d
}

// oracle trains in double precision, and says the losses and what is learned.
func oracle(t *testing.T, model neural.Model, schema neural.Schema, d *dataflow.Data, seed uint64) (losses []float64,
	learned [][]float64) {
	t.Helper()
	schema.Plain, schema.Held = false, false
	c, err := neural.Compile(model, schema)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for _, l := range c.Learned {
		start := make([]float32, l.Value.Rows*l.Value.Width)
		neural.Draw(l, r, start)
		m := dataflow.NewMatrix(l.Value.Rows, l.Value.Width)
		for i, x := range start {
			m.Of[i] = float64(x)
		}
		d.Parameters[l.Value.Name] = m
		learned = append(learned, m.Of)
	}
	for range model.Training.Epochs {
		known, err := dataflow.Evaluate(c.Program.Values, d)
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, known[c.Program.Loss].Of[0])
		for i, slope := range c.Program.Gradients {
			for k := range learned[i] {
				if slope != nil {
					learned[i][k] -= model.Training.LearningRate * known[slope].Of[k]
				}
			}
		}
	}
	return losses, learned
}

// settings are ways of computing the same: devices, in how many pieces, and with what left out. Peak is what one device
// takes that holds everything.
func settings(r *rand.Rand, peak uint64) map[string]func(*host.TrainRequest) {
	small := peak/2 + uint64(r.Int64N(int64(peak/2)))
	all := map[string]func(*host.TrainRequest){}
	for device, on := range map[string]func(*host.TrainRequest){
		"cpu":     func(q *host.TrainRequest) { q.Threads = 1 + r.IntN(3) },
		"pieces":  func(q *host.TrainRequest) { q.DeviceMemory = small },
		"cpu,cpu": func(q *host.TrainRequest) { q.Device = chainOf(2 + r.IntN(2)) },
		"cpu,cpu in pieces": func(q *host.TrainRequest) {
			q.Device, q.DeviceMemory = "cpu,cpu", small*2/3
		},
		"cpu+cpu": func(q *host.TrainRequest) { q.Device = "cpu+cpu" },
		"a batch": func(q *host.TrainRequest) { q.Batch = 1 << 20 }} {
		for flag, set := range map[string]func(*host.TrainRequest){"": func(*host.TrainRequest) {},
			"no-hoist":  func(q *host.TrainRequest) { q.Plain = true },
			"no-filter": func(q *host.TrainRequest) { q.Whole = true },
			"no-fuse":   func(q *host.TrainRequest) { q.Held = true }} {
			if flag == "no-fuse" && device != "cpu" {
				continue // it is refused there
			}
			all[device+" "+flag] = func(q *host.TrainRequest) { on(q); set(q) }
		}
	}
	return all
}

// Random models over random graphs learn what the oracle does in double precision, which evaluates their dataflow value
// by value: losses and parameters, on whatever devices, in however many pieces, and whatever is left out.
func TestTrain_AsTheOracle(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	cases, reached := 2, map[string]int{}
	if long.Tests() {
		cases = 30
	}
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_GRAPHS")); err == nil {
		cases = n
	}
	for number := range cases {
		r := rand.New(rand.NewPCG(seed, uint64(number)))
		model, vertices := drawnModel(r), 40+r.IntN(160)
		if number%3 == 0 {
			vertices += 1100 // several sections, so that there are pieces
		}
		orientation := []formats.Orientation{formats.Directed, formats.Undirected}[r.IntN(2)]
		nodes, edges := tangled(r, vertices)
		db := loadedTables(t, nodes, edges, LoadOptions{Orientation: orientation})
		request := host.TrainRequest{Model: model, Label: "grade", Split: "1,0,0", Seed: seed,
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
		first := trainEdges(t, db, request)
		losses, learned := oracle(t, model, first.Model.Schema, oracleData(nodes, edges, orientation, first), seed)
		for name, change := range settings(r, first.Report.Peak) {
			again := request
			change(&again)
			got, err := db.Train(t.Context(), "g", again, host.TrainEvents{})
			if full := (*plugins.Error)(nil); errors.As(err, &full) && full.Kind == plugins.KindBudget {
				continue // a small graph has no smaller pieces
			}
			if err != nil {
				t.Fatalf("case %d, %s: %v", number, name, err)
			}
			if reached[name]++; got.Report.Pieces != nil {
				reached["in pieces"]++
			}
			compareOracle(t, fmt.Sprintf("case %d, %s, %+v, %v", number, name, model.Layers, orientation), got, losses, learned)
		}
		if t.Failed() {
			return
		}
	}
	t.Log(reached)
	if reached["in pieces"] == 0 || reached["cpu no-fuse"] != cases || reached["cpu,cpu no-hoist"] != cases {
		t.Errorf("not all settings were met: %v", reached)
	}
}

func compareOracle(t *testing.T, what string, got *host.Trained, losses []float64, learned [][]float64) {
	t.Helper()
	for i, e := range got.Report.Epochs {
		if math.Abs(e.Loss-losses[i]) > 1e-4*(1+losses[i]) {
			t.Errorf("%s: epoch %d has a loss of %v, not %v", what, e.Number, e.Loss, losses[i])
		}
	}
	for i, p := range got.Model.Parameters {
		for k, x := range p.Numbers {
			if want := learned[i][k]; math.Abs(float64(x)-want) > 1e-3*(1+math.Abs(want)) {
				t.Errorf("%s: %s[%d] is %v, not %v", what, p.Name, k, x, want)
				break
			}
		}
	}
}
