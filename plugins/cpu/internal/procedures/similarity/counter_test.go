package similarity

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/internal/testseed"
)

// What is kept are the first of all pairs, many of which are alike.
func TestBest_AreTheFirst(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		width := 1 + r.IntN(6)
		rule := similarity.Rule{Lowest: r.IntN(2) == 0}
		b := best{width: width, rule: rule}
		for range 3 {
			b.clear()
			var all []pair
			for id := range int64(r.IntN(60)) {
				p := pair{id * 37 % 61, float64(r.IntN(5)) / 4}
				all = append(all, p)
				b.add(p.id, p.score)
			}
			slices.SortFunc(all, func(x, y pair) int { return rule.Before(x.score, y.score, x.id, y.id) })
			ids, scores := make([]int64, width), make([]float64, width)
			b.write(ids, scores)
			for i := range width {
				want := algorithms.Unreached
				if i < len(all) {
					want = all[i].id
				}
				if ids[i] != want || i < len(all) && scores[i] != all[i].score {
					t.Fatalf("%+v: pair %d is %d, %v; want %v", rule, i, ids[i], scores[i], all[:min(len(all), width)])
				}
			}
		}
	}
}

// A pair behind the last that counts is not taken, so that nothing is sorted for it.
func TestBest_TakesNoneBehindTheLast(t *testing.T) {
	const width = 4
	b := best{width: width}
	for i := range 1000 {
		if b.add(int64(i), float64(1000-i)); i >= 2*width && len(b.pairs) != width {
			t.Fatalf("after pair %d, behind all others, %d are kept", i, len(b.pairs))
		}
	}
}
