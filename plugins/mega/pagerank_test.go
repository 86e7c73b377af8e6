package mega_test

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

const damping = 0.85

// pageRank shows that plain graph computation fits. A vertex is on both sides: on the left it sends, on the right it
// has its rank, which its edge to itself, the first of its list, brings over. What is sent are changes of rank, so that
// it matters not when they come (Zhang et al., Maiter, TPDS 2014, section 3):
//
//	rank(v) = (1 − d)/n + d/n Σ rank(w) + d Σ rank(u)/degree(u)    over w without edges, and over the edges u → v
//
// Row u: the rank that has been sent, and by how much it has changed since. Row v: the rank but for the first sum; that
// is τ. Edges are 0 to oneself, and else 1 / degree(u).
//
// It is done when nothing has changed for more epochs than the slack has clocks: then nothing is on its way, either.
func pageRank(n, slack int, degree func(u int) int) *mega.Program[float64, float64, float64] {
	const sent, changed, number = 0, 1, 2
	still := 0 // epochs in which nothing has changed
	return &mega.Program[float64, float64, float64]{
		Name: "pagerank", Left: mega.Rows{Mirror: 3}, Right: mega.Rows{Shared: 1}, Context: mega.Rows{Shared: 1}, Tally: 1,
		StartLeft:  func(u int, row []float64) { row[number] = float64(u) },
		StartRight: func(_ int, row []float64) { row[0] = (1 - damping) / float64(n) },
		Exchange: func(w *mega.Worker[float64], u, v []float64, share *float64) {
			if *share > 0 {
				v[0] += damping * u[changed] * *share
				return
			}
			rank := v[0] + damping/float64(n)*w.Context[0]
			u[changed], u[sent] = rank-u[sent], rank
			if degree(int(u[number])) == 0 {
				w.Context[0] += u[changed]
			}
			w.Tally[0] += math.Abs(u[changed])
		},
		Done: func(_ int, _ float64, tallies [][]float64) bool {
			change := 0.0
			for _, t := range tallies {
				change += t[0]
			}
			if still++; change > 1e-12 {
				still = 0
			}
			return still > slack
		},
		Stages: []mega.Stage{mega.Exchange(), mega.Sync()},
	}
}

// senders are the edges of g from left to right, and first of each list the one to the vertex itself.
func senders(g *algorithms.Graph) *mega.Graph[float64] {
	b := &mega.Graph[float64]{Rights: g.N(), Offsets: []int64{0}}
	for u := range g.N() {
		b.Targets, b.Edges = append(b.Targets, uint32(u)), append(b.Edges, 0)
		for _, v := range g.Out.Of(u) {
			b.Targets, b.Edges = append(b.Targets, v), append(b.Edges, 1/float64(g.Out.Degree(u)))
		}
		b.Offsets = append(b.Offsets, int64(len(b.Targets)))
	}
	return b
}

// TestPageRank compares the program with the catalog's oracle, by any number of workers and with any slack.
func TestPageRank(t *testing.T) {
	random := testseed.Rand(t)
	catalog, err := catalog.Lookup("pagerank")
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		g := oracletest.RandomGraph(random, oracletest.Config{Directed: random.IntN(2) == 0})
		args, err := catalog.Bind(map[string]string{"iterations": "400"}, algorithms.Env{Directed: g.Directed})
		if err != nil {
			t.Fatal(err)
		}
		want, err := catalog.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		o := mega.Options{Workers: 1 + random.IntN(4), Slack: random.IntN(4), Epochs: 2000}
		program := pageRank(g.N(), o.Slack, g.Out.Degree)
		state, report, err := mega.Run(t.Context(), program, senders(g), o)
		if err != nil || !report.Done {
			t.Fatalf("%+v: done %v, %v", o, report.Done, err)
		}
		for v, rank := range want[0].Floats {
			if got := state.Right[v] + damping/float64(g.N())*state.Context[0]; math.Abs(got-rank) > 1e-9 {
				t.Fatalf("%+v: vertex %d of %d has %v; expected %v", o, v, g.N(), got, rank)
			}
		}
	}
}
