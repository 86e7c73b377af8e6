package mf

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// planted are ratings 3.5 + p·q + noise, of vertices by a power law; a tenth is to test with.
func planted(r *rand.Rand, users, items, n, rank int, noise float64) (train Ratings, test []Rating) {
	draw := func(n int) []float64 {
		all := make([]float64, n*rank)
		for i := range all {
			all[i] = r.NormFloat64() / math.Sqrt(math.Sqrt(float64(rank)))
		}
		return all
	}
	p, q := draw(users), draw(items)
	index := func(n int) uint32 { return uint32(math.Pow(r.Float64(), 2) * float64(n)) }
	all := make([]Rating, n)
	for i := range all {
		u, v := index(users), index(items)
		all[i] = Rating{u, v, float32(3.5 + dot(p[int(u)*rank:][:rank], q[int(v)*rank:][:rank]) + noise*r.NormFloat64())}
	}
	return Ratings{users, items, all[:n*9/10]}, all[n*9/10:]
}

// Both ways to train find factors that ratings were made of: little more than the noise is left.
func TestPlanted(t *testing.T) {
	train, test := planted(testseed.Rand(t), 1000, 300, 60000, 2, 0.3)
	for name, learn := range map[string]func(Ratings, Params) (*Model, error){"sgd": Train, "als": Alternate} {
		m, err := learn(train, Params{Rank: 4, Epochs: 30, Rate: 0.1, L2: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, m.RMSE(train.All), m.RMSE(test))
		if m.RMSE(test) > 1.2*0.3 {
			t.Errorf("%s: %v, with noise of 0.3", name, m.RMSE(test))
		}
	}
}
