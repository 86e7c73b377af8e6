package mf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// TestBlock_IsExchange: with each kind of instructions that the processor has, lists of ratings lead to what rating
// after rating leads to, of any rank, and nothing else is written to.
func TestBlock_IsExchange(t *testing.T) {
	defer func() { level = detected }()
	r := testseed.Rand(t)
	for level = range detected + 1 {
		for rank := 1; rank <= 70; rank++ {
			p := newPenalty(Params{Rank: rank, Epochs: 4, Rate: 0.2, L2: 3 * r.Float64(), BiasL2: r.Float64(),
				Late: r.IntN(2) == 0, Mean: r.NormFloat64(), Variance: float64(r.IntN(2))})
			width := Factors + rank + own
			draw := func(rows int) []float32 {
				all := make([]float32, rows*width)
				for i := range all {
					all[i] = float32(r.Float64() / math.Sqrt(float64(rank)))
				}
				return all
			}
			u, many := draw(1), 1+r.IntN(30)
			e := mega.Edges[float32, Rating]{Mirrors: draw(9), Width: width}
			for range many {
				e.Targets = append(e.Targets, uint32(r.IntN(9)))
				e.Values = append(e.Values, Of(float32(r.NormFloat64()), r.IntN(4) == 0))
			}
			other, mirrors := append([]float32{}, u...), append([]float32{}, e.Mirrors...)
			epoch := r.IntN(4)
			one := &mega.Worker[float32]{Epoch: epoch, Tally: make([]float64, tallies)}
			two := &mega.Worker[float32]{Epoch: epoch, Tally: make([]float64, tallies)}
			p.block(one, u, e)
			got := append(append(u, e.Mirrors...), float32(one.Loss))
			e.Mirrors = mirrors
			for i, rating := range e.Values {
				p.exchange(p.at(epoch), two, other, e.Row(i), rating)
			}
			same(t, fmt.Sprintf("level %d, rank %d, %d ratings", level, rank, many), got,
				append(append(other, mirrors...), float32(two.Loss)))
		}
	}
}

func same(t *testing.T, of string, got, want []float32) {
	t.Helper()
	for i, x := range got {
		if !(math.Abs(float64(x-want[i])) <= 1e-4*(1+math.Abs(float64(want[i])))) {
			t.Fatalf("%s: value %d is %v, not %v", of, i, x, want[i])
		}
	}
}

func BenchmarkBlock(b *testing.B) {
	defer func() { level = detected }()
	const items, many = 20000, 100
	for level = range detected + 1 {
		for _, rank := range []int{16, 32, 64} {
			b.Run(fmt.Sprintf("level %d, rank %d", level, rank), func(b *testing.B) {
				p := newPenalty(Params{Rank: rank, Epochs: 4, Rate: 1e-3, L2: 3, BiasL2: 5, Variance: 1})
				width := Factors + rank + own
				e := mega.Edges[float32, Rating]{Mirrors: make([]float32, items*width), Width: width}
				for range many {
					e.Targets, e.Values = append(e.Targets, uint32(rand.IntN(items))), append(e.Values, Of(1, false))
				}
				w, u := &mega.Worker[float32]{}, make([]float32, width)
				for b.Loop() {
					p.block(w, u, e)
				}
				b.ReportMetric(float64(b.N)*many/b.Elapsed().Seconds()/1e6, "Mratings/s")
			})
		}
	}
}
