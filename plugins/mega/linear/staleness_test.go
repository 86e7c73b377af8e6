package linear

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	oracle "github.com/penstock-db/penstock/algorithms/mega/linear"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// attributes are samples that have one feature of each attribute, which a hidden kind mostly decides: as mushrooms
// have.
func attributes(r *rand.Rand, samples, count, kinds int) oracle.Samples {
	s := oracle.Samples{Features: count * kinds, Offsets: []int{0}}
	for range samples {
		hidden := r.IntN(2 * kinds)
		s.Labels = append(s.Labels, float64(1-2*(hidden%2)))
		for a := range count {
			kind := hidden * (a + 1) / 2 % kinds
			if r.Float64() < 0.1+0.6*float64(a)/float64(count) {
				kind = r.IntN(kinds)
			}
			s.Index, s.Values = append(s.Index, uint32(a*kinds+kind)), append(s.Values, 1)
		}
		s.Offsets = append(s.Offsets, len(s.Index))
	}
	return s
}

// sparse are samples with a few features of many, of classes by weights that are mostly 0.
func sparse(r *rand.Rand, samples, features, values int) oracle.Samples {
	s, weights := oracle.Samples{Features: features, Offsets: []int{0}}, make([]float64, features)
	for j := range weights {
		if r.IntN(5) == 0 {
			weights[j] = 2 * r.NormFloat64()
		}
	}
	for range samples {
		margin := 0.0
		for _, j := range r.Perm(features)[:values] {
			x := float64(float32(r.NormFloat64()))
			s.Index, s.Values = append(s.Index, uint32(j)), append(s.Values, x)
			margin += x * weights[j]
		}
		y := -1.0
		if r.Float64() < sigmoid(margin) {
			y = 1
		}
		s.Labels, s.Offsets = append(s.Labels, y), append(s.Offsets, len(s.Index))
	}
	return s
}

// alike are samples that have nearly the same value of each feature: any weight does what all do.
func alike(r *rand.Rand, samples, features int) oracle.Samples {
	s := oracle.Samples{Features: features, Offsets: []int{0}}
	for i := range samples {
		y, x := float64(1-2*(i%2)), r.NormFloat64()
		s.Labels = append(s.Labels, y)
		for j := range features {
			s.Index = append(s.Index, uint32(j))
			s.Values = append(s.Values, float64(float32(y+2*x+0.3*r.NormFloat64())))
		}
		s.Offsets = append(s.Offsets, len(s.Index))
	}
	return s
}

// TestRegressions_Staleness: however many workers there are, and however far ahead one may be, a regression of the
// defaults of blockpg ends by itself within 0.1 % of the least objective, with about as many weights as are needed for
// that, and along samples where that is possible. Samples are such that features depend on each other.
func TestRegressions_Staleness(t *testing.T) {
	r := testseed.Rand(t)
	workers, slacks := []int{1, 2, 4, 8}, []int{0, 1, 2, 5}
	rounds := 1
	if long.Tests() {
		rounds = 5
	}
	for range rounds {
		kinds := map[string]oracle.Samples{"attributes": attributes(r, 1000, 20, 5), "sparse": sparse(r, 600, 200, 10),
			"alike": alike(r, 200, 40)}
		for _, name := range long.Raced(t, slices.Sorted(maps.Keys(kinds)), 1) {
			s := kinds[name]
			for _, penalty := range []Params{{L1: 1, Tolerance: 7e-4}, {L2: 1, Tolerance: 7e-4}} {
				weights, least := 0, solved(t, s, penalty)
				for k, w := range workers {
					p := penalty
					if p.Workers, p.Slack = w, slacks[r.IntN(len(slacks))]; k == len(workers)-1 {
						p.Slack = slacks[len(slacks)-1]
					}
					for _, dual := range []bool{false, true}[:1+int(p.L2)] {
						all := problemOf(s) // a run takes its targets
						got := all.run(t, p, options(p, all, dual), dual)
						of := fmt.Sprintf("%s, %+v, dual %v", name, p, dual)
						t.Logf("%s: %d epochs, %.2g above the least, %d weights", of, got.epochs, got.objective/least-1, got.weights)
						if got.objective > least*1.001 {
							t.Errorf("%s: the objective is %v, the least %v", of, got.objective, least)
						}
						if k == 0 {
							weights = got.weights
						}
						if few := math.Abs(float64(got.weights - weights)); few > 2+0.1*float64(weights) {
							t.Errorf("%s: %d weights are not 0; one worker finds %d", of, got.weights, weights)
						}
					}
				}
			}
		}
	}
}

// options have as many blocks as penstock train has.
func options(p Params, all problem, dual bool) mega.Options {
	g := all.features
	if dual {
		g = all.samples
	}
	return mega.Options{Workers: p.Workers, Slack: p.Slack, Epochs: 1000, Batches: p.Blocks(0, len(g.Targets), g.Rights)}
}

// solved is the least objective, by a solver that knows of no workers.
func solved(t *testing.T, s oracle.Samples, p Params) float64 {
	t.Helper()
	penalty, solve := oracle.Defaults(), oracle.Newton
	if penalty.L1, penalty.L2 = p.L1, p.L2; p.L1 > 0 {
		solve = oracle.Coordinates
		penalty.Steps, penalty.Tolerance = 3000, 1e-7
	}
	best, err := solve(s, penalty)
	if err != nil {
		t.Fatal(err)
	}
	return s.Objective(best, p.L1, p.L2)
}

// TestPrimal_Staleness: by epochs alone, however many workers there are and however far ahead one may be, weights of
// features that depend on each other come near the least objective; so they do where many that do the same are moved
// before anybody hears of it, as they are in few blocks: moves are as much shorter.
func TestPrimal_Staleness(t *testing.T) {
	long.Unraced(t)
	r := testseed.Rand(t)
	kinds := map[string]oracle.Samples{"attributes": attributes(r, 1000, 20, 5), "sparse": sparse(r, 600, 200, 10),
		"alike": alike(r, 200, 40)}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		s, p := kinds[name], Params{L1: 1}
		least := solved(t, s, p)
		for _, p.Workers = range []int{1, 2, 4, 8} {
			p.Slack = r.IntN(6)
			o := options(p, problemOf(s), false)
			near(t, name, s, p, o, 100, least)
		}
		p.Slack = 0
		near(t, name, s, p, mega.Options{Workers: p.Workers, Batches: 1 + r.IntN(3)}, 1000, least)
	}
}

// near has epochs come near the least objective.
func near(t *testing.T, name string, s oracle.Samples, p Params, o mega.Options, epochs int, least float64) {
	t.Helper()
	o.Epochs = epochs
	got := problemOf(s).run(t, p, o, false)
	of := fmt.Sprintf("%s, %+v, %d blocks", name, p, o.Batches)
	t.Logf("%s: %.2g above the least", of, got.reached/least-1)
	if got.reached > least*1.1 {
		t.Errorf("%s: after %d epochs the objective is %v, the least %v", of, epochs, got.reached, least)
	}
}
