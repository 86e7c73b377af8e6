package train

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/internal/testseed"
)

// TestRankHeld against lists that are sorted, over all orders of equal scores on average.
func TestRankHeld(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		users, items, levels := 1+r.IntN(6), 1+r.IntN(30), 1+r.IntN(40)
		all := make([]uint32, items)
		for i := range all {
			all[i] = uint32(100 + 2*i)
		}
		e, scores := dataset.Examples{}, make([][]float32, users)
		for u := range users {
			scores[u] = make([]float32, items)
			for i, item := range all {
				scores[u][i] = float32(r.IntN(levels))
				part := dataset.Part(r.IntN(4))
				for range []int{0, 0, 1, 1, 2}[r.IntN(5)] {
					e.Pairs = append(e.Pairs, dataset.Pair{Source: uint32(u), Target: item})
					e.Wanted, e.Parts = append(e.Wanted, float32(r.IntN(4))), append(e.Parts, part)
				}
			}
		}
		score := func(u uint32, to []float32) { copy(to, scores[u]) }
		got, err := RankHeld(t.Context(), e, dataset.Test, all, users, r.IntN(4), score)
		if err != nil {
			t.Fatal(err)
		}
		percentile, weight, recall, ranked := 0.0, 0.0, 0.0, 0
		for u := range users {
			own, known := map[uint32]float64{}, map[uint32]bool{}
			for i, p := range e.Pairs {
				switch {
				case int(p.Source) != u:
				case e.Parts[i] != dataset.Test:
					known[p.Target] = true
				case e.Wanted[i] > 0:
					own[p.Target] += float64(e.Wanted[i])
				}
			}
			if len(own) == 0 {
				continue
			}
			ranked++
			var list []int
			for i, item := range all {
				if !known[item] {
					list = append(list, i)
				}
			}
			slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(scores[u][b], scores[u][a]) })
			for from := 0; from < len(list); {
				to := from
				for to < len(list) && scores[u][list[to]] == scores[u][list[from]] {
					to++
				}
				place, first := 0.0, 0.0
				for k := from; k < to; k++ {
					place += float64(k) / float64(to-from)
					if k < RecallAt {
						first += 1 / float64(to-from)
					}
				}
				for k := from; k < to; k++ {
					w := own[all[list[k]]]
					percentile, weight = percentile+w*place/float64(max(len(list)-1, 1)), weight+w
					if w > 0 {
						recall += first / float64(len(own))
					}
				}
				from = to
			}
		}
		if ranked == 0 {
			if got != nil {
				t.Fatalf("without anything held out: %+v", got)
			}
			continue
		}
		if got == nil || got.Users != ranked || math.Abs(got.Percentile-percentile/weight) > 1e-9 ||
			math.Abs(got.Recall-recall/float64(ranked)) > 1e-9 {
			t.Fatalf("%+v, want %d users, %v, %v", got, ranked, percentile/weight, recall/float64(ranked))
		}
		if some, err := RankHeld(t.Context(), e, dataset.Test, all, 1, 0, score); err != nil || some.Users != 1 {
			t.Fatalf("%+v, %v; at most 1 user was asked for", some, err)
		}
	}
}

// Ranking ends with its context, and takes no further user.
func TestRankHeld_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	e, ended, taken := dataset.Examples{}, errors.New("ended"), 0
	for u := range uint32(10) {
		e.Pairs, e.Wanted = append(e.Pairs, dataset.Pair{Source: u, Target: 100}), append(e.Wanted, 1)
		e.Parts = append(e.Parts, dataset.Test)
	}
	_, err := RankHeld(ctx, e, dataset.Test, []uint32{100}, 10, 1, func(uint32, []float32) {
		taken++
		cancel(ended)
	})
	if !errors.Is(err, ended) || taken != 1 {
		t.Errorf("%v, after %d users", err, taken)
	}
}
