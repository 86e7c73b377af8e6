package linear

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/plugins/mega"
)

// BenchmarkDual is an epoch over ten million entries of samples, whose features follow Zipf's law.
func BenchmarkDual(b *testing.B) {
	const samples, features, entries = 140000, 100000, 75
	r := rand.New(rand.NewPCG(1, 0))
	zipf := rand.NewZipf(r, 1.1, 10, features-1)
	g := &mega.Graph[float32]{Rights: features, Offsets: []int64{0}}
	for range samples {
		for range entries {
			g.Targets = append(g.Targets, uint32(zipf.Uint64()))
			g.Edges = append(g.Edges, float32(r.NormFloat64()/10))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	b.SetBytes(int64(8 * len(g.Targets)))
	b.ResetTimer()
	if _, _, err := mega.Run(b.Context(), Dual(Params{L2: 1}), g, mega.Options{Epochs: b.N, Batches: 1}); err != nil {
		b.Fatal(err)
	}
}
