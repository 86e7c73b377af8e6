package kernels

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// However many workers lower the same few keys at once, the least one stays, and its
// vertex is marked. The race detector is silent about atomics; this is not.
func TestTargets_LowerIsAnAtomicMinimum(t *testing.T) {
	const vertices, workers, rounds = 3, 4, 200
	seed := testseed.New(t)
	for round := range rounds {
		keys := []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}
		target := targets{keys: keys, touched: make([]uint64, 1)}
		least := make([][vertices]int64, workers)
		var start, done sync.WaitGroup
		start.Add(1)
		for w := range workers {
			rng := rand.New(rand.NewPCG(seed, uint64(round*workers+w)))
			done.Go(func() {
				least[w] = [vertices]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}
				start.Wait()
				for range 50 {
					v, key := rng.IntN(vertices), rng.Int64N(1000)
					least[w][v] = min(least[w][v], key)
					target.lower(uint32(v), key) // as if beats had seen an older key
				}
			})
		}
		start.Done()
		done.Wait()
		for v := range vertices {
			want := min(least[0][v], least[1][v], least[2][v], least[3][v])
			if keys[v] != want || (target.touched[0]>>v&1 == 1) != (want < math.MaxInt64) {
				t.Fatalf("seed %d, round %d: key %d of vertex %d, want %d; touched %b", seed, round, keys[v], v, want,
					target.touched[0])
			}
		}
	}
}
