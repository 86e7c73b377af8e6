package mf

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/plugins/mega"
)

// hot are ratings of which some items have most, made of factors that take long to find; half of the variance is noise.
func hot(p *Params) *mega.Graph[Rating] {
	const users, items, each, rank = 2000, 100, 12, 8
	r := rand.New(rand.NewPCG(7, 7))
	factors := make([]float64, rank*(users+items))
	for i := range factors {
		factors[i] = r.NormFloat64() * math.Pow(rank, -0.25)
	}
	p.Users, p.Items = make([]uint32, users), make([]uint32, items)
	g := &mega.Graph[Rating]{Rights: items, Offsets: []int64{0}}
	for u := range users {
		seen := make([]bool, items)
		for range each {
			v := int(items * math.Pow(r.Float64(), 2.5))
			if seen[v] {
				continue
			}
			seen[v] = true
			x := r.NormFloat64()
			for k := range rank {
				x += factors[rank*u+k] * factors[rank*(users+v)+k]
			}
			g.Targets, g.Edges = append(g.Targets, uint32(v)), append(g.Edges, Of(float32(x), false))
			p.Users[u]++
			p.Items[v]++
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// TestProgram_LearnsInAnyBatch: that many workers go along many ratings of an item before they hear of each other does
// not carry it off: the last epoch has hardly a larger error than one worker's.
func TestProgram_LearnsInAnyBatch(t *testing.T) {
	last := func(o mega.Options, adding bool) float64 {
		p := Params{Rank: 16, Epochs: 15, Rate: 0.1, L2: 5, BiasL2: 5, Variance: 2, Seed: 1}
		g := hot(&p)
		program := Program(p)
		if adding {
			program.Right.Mean = false
		}
		o.Epochs = p.Epochs
		_, report, err := mega.Run(t.Context(), program, g, o)
		if err != nil {
			t.Fatal(err)
		}
		return math.Sqrt(report.Losses[p.Epochs-1] / float64(len(g.Edges)))
	}
	if added := last(mega.Options{Workers: 16}, true); !math.IsNaN(added) {
		t.Errorf("by adding up what workers change it comes to an error of %.4f: this needs ratings of which it does not", added)
	}
	alone := last(mega.Options{Workers: 1}, false)
	for _, cut := range []mega.Cut{mega.Bipartite, mega.Random} {
		for _, workers := range []int{4, 16} {
			for _, batches := range []int{1, 30} {
				o := mega.Options{Workers: workers, Batches: batches, Cut: cut}
				if got := last(o, false); !(got <= 1.15*alone) {
					t.Errorf("%s, %d workers, %d batches: an error of %.4f, of one worker %.4f", cut, workers, batches, got, alone)
				}
			}
		}
	}
}
