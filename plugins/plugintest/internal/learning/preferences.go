package learning

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

const preferenceAlpha = 3

// preferences is the lesson of als-implicit.
func preferences(learned float64) lesson {
	l := alternation(learned, 0).within(0, 4)
	l.name, l.rows = "als-implicit", slices.Clone(l.rows)
	l.rows[0].Width = learnedRank
	l.args.Floats["alpha"] = preferenceAlpha
	return l
}

// testPreferences has the device alternate least squares of implicit feedback. Given the users, each item is what is
// best by the equations over all pairs, of which those without an edge are not preferred; edges that are held out are
// as if there were none.
func testPreferences(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := ratings(r)
	for _, share := range []float64{1, 0.7} {
		l := preferences(share)
		got, err := l.learn(t, r, device, g, inOne)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(l.args.Ints["seed"])
		for v := range g.N() {
			if g.In.Degree(v) == 0 {
				continue
			}
			if off := preferenceOff(g, got, v, l.args.Floats["l2"], func(u int) bool {
				return heldout.Place(seed, uint64(u), uint64(v)) < share
			}); off > 2e-5 {
				t.Errorf("learned from %v: vertex %d is off its equations by a share of %v", share, v, off)
			}
		}
		alone, err := l.with("workers", 1).with("batch", 7).learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
		if err != nil || !slices.Equal(alone.rows, got.rows) {
			t.Errorf("other bits of one worker, or %v", err)
		}
	}
}

// preferenceOff is how far an item is from the solution of its equations: see known.off.
func preferenceOff(g *algorithms.Graph, l learned, item int, l2 float64, learned func(user int) bool) (most float64) {
	row := func(v int) []float32 { return l.rows[v*learnedRank:][:learnedRank] }
	times := map[int]float64{}
	for i := g.In.Offsets[item]; i < g.In.Offsets[item+1]; i++ {
		if u := int(g.In.Neighbors[i]); learned(u) {
			times[u] += g.In.Columns[drawn.Weight][i]
		}
	}
	for k, x := range row(item) {
		sum := -l2 * float64(x)
		scale := math.Abs(sum)
		for u := range g.N() {
			if g.Out.Degree(u) == 0 {
				continue
			}
			said := 0.0
			for i, y := range row(u) {
				said += float64(y) * float64(row(item)[i])
			}
			preferred, of := 0.0, float64(row(u)[k])
			if times[u] > 0 {
				preferred = 1
			}
			sum += (1 + preferenceAlpha*times[u]) * (preferred - said) * of
			scale += (1 + preferenceAlpha*times[u]) * math.Abs(of)
		}
		most = max(most, math.Abs(sum)/max(scale, 1e-300))
	}
	return most
}
