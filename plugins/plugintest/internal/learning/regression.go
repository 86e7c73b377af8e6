package learning

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega/linear"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Samples, features and epochs of a regression.
const (
	regressed       = 60
	features        = 8
	regressedEpochs = 5000 // at the most
)

// samples is a bipartite graph: 60 samples, from which edges lead to some of 8 features, and how much of these they
// have. Labels are of two classes that weights of the features tell apart, nearly; of every tenth it is NaN.
func samples(r *rand.Rand) (g *algorithms.Graph, labels []float32) {
	planted := make([]float64, features)
	for j := range planted {
		planted[j] = float64(j/2) * (2*float64(j%2) - 1)
	}
	var edges []algorithms.Edge
	labels = make([]float32, regressed+features)
	for i := range labels {
		labels[i] = float32(math.NaN())
	}
	for i := range regressed {
		margin := r.NormFloat64()
		for _, j := range r.Perm(features)[:4] {
			e := drawn.NewEdge(r, i, regressed+j)
			e.Weights[drawn.Weight] = r.NormFloat64()
			margin += planted[j] * e.Weights[drawn.Weight]
			edges = append(edges, e)
		}
		if i%10 != 3 {
			labels[i] = float32(math.Copysign(1, margin))
		}
	}
	labels[0], labels[1] = 1, -1 // both classes, whatever is drawn
	ids := make([]int64, len(labels))
	for i := range ids {
		ids[i] = int64(i)
	}
	return drawn.NewGraph(true, ids, edges), labels
}

// regression is the lesson of linear, with penalties. How near the best it is to come goes by the tolerance.
func regression(labels []float32, l1, l2, tolerance float64) lesson {
	l := lesson{name: "linear", given: map[string][]float32{"labels": labels},
		rows: []algorithms.Rows{{Name: "labels", Width: 1, Given: true}, {Name: "weights", Width: 1},
			{Name: "margins", Width: 1}, {Name: "end", Width: linear.EndingWidth, Once: true}},
		args: algorithms.Args{Directed: true, Strings: map[string]string{"label": drawn.Weight},
			Floats: map[string]float64{"l1": l1, "l2": l2, "tolerance": tolerance, "learned": 1},
			Ints:   map[string]int64{"epochs": regressedEpochs, "workers": 2, "slack": 0, "batch": 0, "blocks": 3, "seed": 7}}}
	if l1 > 0 {
		l.args.Ints["primal"] = 1
	}
	return l
}

// testRegression has the device minimize Σ log(1 + exp(−y w·x)) + λ₂/2 |w|² + λ₁ Σ |w_j|. In the end no weight could be
// better by itself: the subgradient of each has 0, nearly. Samples without a label take no part, but have margins.
func testRegression(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g, labels := samples(r)
	for _, c := range []struct{ l1, l2, tolerance float64 }{{0, 1, 1e-8}, {2, 0, 1e-6}, {1, 0.5, 1e-6}} {
		l := regression(labels, c.l1, c.l2, c.tolerance)
		got, err := l.learn(t, r, device, g, inOne)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		f := checkRegression(t, g, labels, got, c.l1, c.l2)
		n := len(got.epochs)
		end := linear.ReadEnding(got.end)
		if n == 0 || n == regressedEpochs || !end.Converged || !(end.Remaining <= c.tolerance) || c.l1 > 0 && !end.Primal {
			t.Fatalf("%+v: after %d epochs it has ended so: %+v", c, n, end)
		}
		further := 0.0 // which it may have come after its last epoch
		if end.Primal {
			further = 0.2
		}
		if told := got.epochs[n-1].Loss; f > told*(1+1e-3) || told > f*(1+1e-3+further) {
			t.Errorf("%+v: it told of %v, and the objective is %v", c, told, f)
		}
		edges, learned := uint64(0), uint64(0)
		for _, w := range got.work {
			edges += w.Edges
		}
		for i := range regressed {
			if labels[i] == labels[i] {
				learned += uint64(g.Out.Degree(i))
			}
		}
		if edges != uint64(n)*learned {
			t.Errorf("%+v: %d edges were gone along in %d epochs of %d", c, edges, n, learned)
		}
		again, err := l.learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
		if err != nil || !slices.Equal(again.named["weights"], got.named["weights"]) {
			t.Errorf("%+v: other bits where chunks are cut otherwise, or %v", c, err)
		}
		one, err := l.with("epochs", 1).learn(t, r, device, g, inOne)
		if err != nil || len(one.epochs) != 1 || linear.ReadEnding(one.end).Converged {
			t.Errorf("%+v: of one epoch %d were told, and it has converged: %v, %v", c, len(one.epochs), one.end, err)
		}
	}
}

// checkRegression looks at weights and margins, and says what the objective is.
func checkRegression(t *testing.T, g *algorithms.Graph, labels []float32, got learned, l1, l2 float64) (f float64) {
	t.Helper()
	weights, slopes, scales := got.named["weights"], make([]float64, len(labels)), make([]float64, len(labels))
	for i := range regressed {
		margin := 0.0
		at := g.Out.Offsets[i]
		for k, j := range g.Out.Neighbors[at:g.Out.Offsets[i+1]] {
			margin += float64(weights[j]) * g.Out.Columns[drawn.Weight][at+k]
		}
		if said := float64(got.named["margins"][i]); math.Abs(said-margin) > 1e-4*(1+math.Abs(margin)) {
			t.Errorf("sample %d has the margin %v, not %v", i, said, margin)
		}
		y := float64(labels[i])
		if y != y {
			continue
		}
		f += math.Log1p(math.Exp(-y * margin))
		for k, j := range g.Out.Neighbors[at:g.Out.Offsets[i+1]] {
			x := g.Out.Columns[drawn.Weight][at+k]
			slopes[j] -= y * x / (1 + math.Exp(y*margin))
			scales[j] += math.Abs(x)
		}
	}
	for j := regressed; j < regressed+features; j++ {
		w := float64(weights[j])
		f += l1*math.Abs(w) + l2/2*w*w
		off := slopes[j] + l2*w
		if w != 0 {
			off = math.Abs(off + math.Copysign(l1, w))
		} else {
			off = max(math.Abs(off)-l1, 0)
		}
		if off > 1e-3*scales[j] {
			t.Errorf("λ₁ %v, λ₂ %v: the weight of feature %d, %v, could be better: the slope is %v of at most %v", l1, l2, j, w,
				off, scales[j])
		}
	}
	return f
}
