package node2vec

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/random"
)

// Pairs of random vertices of many, so that vectors come from memory.
func BenchmarkTrainer_Step(b *testing.B) {
	const n, width = 1 << 13, 128
	r := rand.New(rand.NewPCG(1, 1))
	e := &learning{width: width}
	e.Args = algorithms.Args{Ints: map[string]int64{"negativeSamplingRate": 5}}
	x, y := make([]float32, n*width), make([]float32, n*width)
	for i := range x {
		x[i], y[i] = float32(r.Float64()-0.5)/width, float32(r.Float64()-0.5)/width
	}
	pairs := make([]embedding.Pair, 1<<16)
	for i := range pairs {
		pairs[i] = embedding.Pair{Vertex: r.Uint32N(n), Context: r.Uint32N(n)}
	}
	trained, d, draws := e.newTrainer(x, y), everyone(n), random.New(1)
	b.ResetTimer()
	for i := range b.N {
		at := i * group % len(pairs)
		trained.step(pairs[at:at+group], d, &draws, 0.01)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*group), "ns/pair")
}
