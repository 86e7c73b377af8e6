package recommend

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Suggestions are the first of all candidates that are not known, sorted by score.
func TestFind_Sorted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.SampledFrom([]int{1, 7, 100, block + 3}).Draw(rt, "vertices")
		some := func(label string, share int) (all []uint32) {
			r := rapid.Uint64().Draw(rt, label)
			for v := range uint32(n) {
				if r = r*6364136223846793005 + 1442695040888963407; int(r>>33)%100 < share {
					all = append(all, v)
				}
			}
			return all
		}
		candidates, known := some("candidates", 90), some("known", 30)
		levels := rapid.SampledFrom([]uint32{2, 50, 1 << 20}).Draw(rt, "levels") // few: many have the same score
		score := func(vertex, c uint32) float64 { return float64((vertex*31 + c*2654435761) % levels) }
		top := rapid.IntRange(0, 12).Draw(rt, "top")
		f := NewFinder(candidates, top, func(vertex uint32, cs []uint32, to []float64) error {
			if len(cs) > block {
				rt.Fatalf("%d candidates at a time", len(cs))
			}
			for i, c := range cs {
				to[i] = score(vertex, c)
			}
			return nil
		})
		for range 3 {
			vertex := rapid.Uint32Range(0, uint32(n)).Draw(rt, "vertex")
			var want []Suggestion
			for _, c := range candidates {
				if c != vertex && !slices.Contains(known, c) {
					want = append(want, Suggestion{c, score(vertex, c)})
				}
			}
			slices.SortStableFunc(want, func(a, b Suggestion) int { return int(b.Score) - int(a.Score) })
			want = want[:min(len(want), f.top)]
			got, err := f.Find(vertex, known)
			if err != nil || !slices.Equal(got, want) {
				rt.Fatalf("got %v, %v\nwant %v", got, err, want)
			}
		}
	})
}

// What the model cannot say ends the search.
func TestFind_Fails(t *testing.T) {
	fails := errors.New("no number")
	f := NewFinder([]uint32{3, 5}, 2, func(uint32, []uint32, []float64) error { return fails })
	if _, err := f.Find(1, nil); !errors.Is(err, fails) {
		t.Error(err)
	}
}
