package neural

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// BenchmarkEpoch is the passes of an epoch over a random graph as large as Cora, by one thread: what is done of each
// block weighs there. The least times of its stages say most where other work runs beside.
func BenchmarkEpoch(b *testing.B) {
	b.Run("gcn", func(b *testing.B) { benchmarkEpoch(b, "gcn", map[string]int{"hidden": 16}) })
	b.Run("gat", func(b *testing.B) { benchmarkEpoch(b, "gat", map[string]int{"hidden": 64, "heads": 8}) })
}

func benchmarkEpoch(b *testing.B, model string, sizes map[string]int) {
	const vertices, width, words, edges = 2708, 1433, 18, 5278
	m, _ := neural.Lookup(model)
	m.Sizes = sizes
	c, err := neural.Compile(m, neural.Schema{Features: width, Outputs: 7, Task: neural.Classes})
	if err != nil {
		b.Fatal(err)
	}
	p, r := c.Program, rand.New(rand.NewPCG(1, 2))
	d := &dataflow.Data{Vertices: vertices}
	for v := range uint32(vertices) {
		d.Sources, d.Targets = append(d.Sources, v), append(d.Targets, v)
	}
	for range edges {
		s, t := r.Uint32N(vertices), r.Uint32N(vertices)
		d.Sources, d.Targets = append(d.Sources, s, t), append(d.Targets, t, s)
	}
	d.Properties = map[string][]float64{"weight": make([]float64, len(d.Sources))}
	degrees := make([]float32, vertices)
	for _, t := range d.Targets {
		degrees[t]++
	}
	x, weight, wanted := Rows[float32]{Offsets: []int64{0}}, make([]float32, vertices), make([]float32, vertices)
	for v := range vertices {
		for range words {
			x.Columns, x.Values = append(x.Columns, r.Uint32N(width)), append(x.Values, 1./words)
		}
		x.Offsets = append(x.Offsets, int64(len(x.Columns)))
		weight[v], wanted[v] = 1./vertices, float32(r.IntN(7))
	}
	roots := append([]*dataflow.Value{p.Loss}, p.Gradients...)
	size, graph := workspaceSize{}, graphOf(d)
	_, each := stored(p.Values, roots, vertices, adjacency.MostSections,
		func(v *dataflow.Value) bool { return v.Name == "x" }, &size, true)
	n, err := New(graph, parallel.New(1), newWorkspace[float32](size, 1), newSlab(each), p.Values,
		map[string]Rows[float32]{
			"x": x, "weight": {Dense: weight}, "wanted": {Dense: wanted},
			"in_degree": {Dense: degrees}, "out_degree": {Dense: degrees},
		}, roots...)
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range p.Parameters {
		for i := range n.Of(v) {
			n.Of(v)[i] = float32(r.NormFloat64()) / 16
		}
	}
	least := make([]time.Duration, len(n.passes[1]))
	for b.Loop() {
		n.dropout = dataflow.Dropout{Seed: 1}
		for i := range n.passes[0] {
			if !n.ready {
				if err := n.run(b.Context(), &n.passes[0][i]); err != nil {
					b.Fatal(err)
				}
			}
		}
		n.ready = true
		for i := range n.passes[1] {
			began := time.Now()
			if err := n.run(b.Context(), &n.passes[1][i]); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(began); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	sum := time.Duration(0)
	for i, l := range least {
		b.ReportMetric(float64(l.Microseconds()), fmt.Sprintf("stage%d-µs", i+1))
		sum += l
	}
	b.ReportMetric(float64(sum.Microseconds()), "least-µs")
}
