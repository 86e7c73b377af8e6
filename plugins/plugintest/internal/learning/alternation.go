package learning

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// alternation is the lesson of als: some ratings are learned from, some tell when to end, and others are left out.
func alternation(learned, held float64) lesson {
	l := factorization()
	l.name, l.rows = "als", append(l.rows, algorithms.Rows{Name: "end", Width: 1, Once: true})
	l.args.Floats = map[string]float64{"l2": 0.1, "bias-l2": 2, "tolerance": 0, "learned": learned, "held": held}
	return l
}

// within changes a tolerance, and bounds the epochs.
func (l lesson) within(tolerance float64, epochs int64) lesson {
	l.args.Floats = maps.Clone(l.args.Floats)
	l.args.Floats["tolerance"] = tolerance
	return l.with("epochs", epochs)
}

// known are the ratings that a lesson is learned from: by vertex the edges to others, and what they are.
type known struct {
	others  [][]int
	ratings [][]float64
	mean    float64
	all     int
}

func (l lesson) known(g *algorithms.Graph) known {
	k := known{others: make([][]int, g.N()), ratings: make([][]float64, g.N())}
	share, seed := l.args.Floats["learned"], uint64(l.args.Ints["seed"])
	for u := range g.N() {
		for i := g.Out.Offsets[u]; i < g.Out.Offsets[u+1]; i++ {
			v, r := int(g.Out.Neighbors[i]), g.Out.Columns[drawn.Weight][i]
			if heldout.Place(seed, uint64(u), uint64(v)) >= share {
				continue
			}
			k.others[u], k.ratings[u] = append(k.others[u], v), append(k.ratings[u], r)
			k.others[v], k.ratings[v] = append(k.others[v], u), append(k.ratings[v], r)
			k.mean += r
			k.all++
		}
	}
	k.mean /= float64(k.all)
	return k
}

// row is a vertex's: its bias, then its factors.
func (l learned) row(v int) []float32 { return l.rows[v*(1+learnedRank):][:1+learnedRank] }

// residual is what is left of a rating.
func (k known) residual(l learned, u, v int, r float64) float64 {
	a, b := l.row(u), l.row(v)
	r -= k.mean + float64(a[0]) + float64(b[0])
	for i := 1; i <= learnedRank; i++ {
		r -= float64(a[i]) * float64(b[i])
	}
	return r
}

// off is how far a vertex is from the solution of its normal equations, the other side being as it is: by the largest
// of their residuals, as a share of the terms that are added up.
func (k known) off(l learned, v int, l2, biasL2 float64) (most float64) {
	for i, x := range l.row(v) {
		sum := -l2 * float64(len(k.others[v])) * float64(x)
		if i == 0 {
			sum = -biasL2 * float64(x)
		}
		scale := math.Abs(sum)
		for j, u := range k.others[v] {
			of := 1.0
			if i > 0 {
				of = float64(l.row(u)[i])
			}
			sum += k.residual(l, v, u, k.ratings[v][j]) * of
			scale += (math.Abs(k.ratings[v][j]) + k.mean) * math.Abs(of)
		}
		most = max(most, math.Abs(sum)/max(scale, 1e-300))
	}
	return most
}

// testAlternation has the device alternate least squares. An epoch ends with the items: given the users, each is what
// is best by its normal equations. Of ratings that are not learned from nothing shows.
func testAlternation(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := ratings(r)
	for _, l := range []lesson{alternation(1, 0), alternation(0.7, 0.15)} {
		of := l.within(0, 4)
		got, err := of.learn(t, r, device, g, inOne)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		k := of.known(g)
		left := 0.0
		for v := range g.N() {
			if g.In.Degree(v) == 0 {
				continue
			}
			if off := k.off(got, v, of.args.Floats["l2"], of.args.Floats["bias-l2"]); off > 2e-5 {
				t.Errorf("learned from %v: vertex %d, of %d ratings, is off its normal equations by a share of %v",
					of.args.Floats["learned"], v, len(k.others[v]), off)
			}
			for j, u := range k.others[v] {
				e := k.residual(got, v, u, k.ratings[v][j])
				left += e * e
			}
		}
		if n := len(got.epochs); n == 0 || math.Abs(got.epochs[n-1].Loss-left) > 1e-3*(left+1e-3) {
			t.Errorf("it told of %+v, and leaves %v", got.epochs, left)
		}
		edges := uint64(0)
		for _, w := range got.work {
			edges += w.Edges
		}
		if least := 2 * uint64(len(got.epochs)*k.all); edges < least {
			t.Errorf("%d edges were gone along: each of %d ratings has two ends", edges, k.all)
		}
		alone, err := of.with("workers", 1).with("batch", 7).learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
		if err != nil || !slices.Equal(alone.rows, got.rows) {
			t.Errorf("other bits of one worker, or %v", err)
		}
	}
	t.Run("end", func(t *testing.T) { testAlternationEnds(t, device) })
	t.Run("cut", func(t *testing.T) { testAlternationCut(t, device) })
}

// testAlternationEnds: where no ratings are held out, the device ends with the first epoch that does not lower the
// error by the tolerance, and says so; it says nothing where the epochs have ended it.
func testAlternationEnds(t *testing.T, device plugins.Device) {
	const tolerance, most = 0.05, 60
	r := testseed.Rand(t)
	g := ratings(r)
	got, err := alternation(1, 0).within(tolerance, most).learn(t, r, device, g, inOne)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for i, e := range got.epochs {
		is := math.Sqrt(e.Loss)
		if ends, last := !(is < least*(1-tolerance)), i == len(got.epochs)-1; ends != last {
			t.Fatalf("epoch %d of %d has the error %v, after %v", i+1, len(got.epochs), is, least)
		}
		least = is
	}
	if len(got.epochs) == most || got.end[0] != 1 {
		t.Errorf("%d epochs, and the tolerance has ended it: %v", len(got.epochs), got.end[0])
	}
	one, err := alternation(1, 0).within(tolerance, 1).learn(t, r, device, g, inOne)
	if err != nil || len(one.epochs) != 1 || one.end[0] != 0 {
		t.Errorf("of one epoch: %d, the tolerance has ended it: %v, %v", len(one.epochs), one.end, err)
	}
}

// testAlternationCut: where edges of one vertex are in several partitions its equations are, too. A device that does
// not gather them refuses such a cut.
func testAlternationCut(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := ratings(r)
	for _, c := range mega.Cuts() {
		if !c.Splits() {
			continue
		}
		got, err := alternation(1, 0).within(0, 2).cut(c).learn(t, r, device, g, inOne)
		if kind := plugins.KindOf(err); err != nil && (kind == plugins.KindInvalid || kind == plugins.KindUnsupported) {
			t.Logf("cut by %s: %v", c, err)
			continue
		}
		if err != nil {
			t.Fatalf("cut by %s: %v", c, err)
		}
		k := alternation(1, 0).known(g)
		for v := range g.N() {
			if off := k.off(got, v, 0.1, 2); g.In.Degree(v) > 0 && off > 2e-5 {
				t.Errorf("cut by %s: vertex %d is off its normal equations by a share of %v", c, v, off)
			}
		}
	}
}
