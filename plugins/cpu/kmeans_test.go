package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Clusters are those of the textbook's search, to the bit, with any number of threads: of vectors in clusters, far
// from the origin, where single precision cannot tell centers apart, and of numbers too large or too small for its
// squares.
func TestKMeans_IsLloyd(t *testing.T) {
	random := testseed.Rand(t)
	for name, moved := range testseed.Sorted(map[string]func(x float64) float64{
		"near": func(x float64) float64 { return x },
		"far":  func(x float64) float64 { return 1e4 + x/8 },
		"huge": func(x float64) float64 { return x * 1e37 },
		"tiny": func(x float64) float64 { return x * 1e-40 },
		"few":  math.Round,
	}) {
		for range 10 {
			g := positions(random, 1+random.IntN(400), 1+random.IntN(12), 1+random.IntN(40))
			at := g.Properties["at"].Floats
			for i, x := range at {
				at[i] = moved(x)
			}
			params := map[string]string{"nodeProperty": "at", "k": fmt.Sprint(1 + random.IntN(20)),
				"initialSampler":   []string{"uniform", "kmeans++"}[random.IntN(2)],
				"numberOfRestarts": fmt.Sprint(1 + random.IntN(3)), "deltaThreshold": []string{"0", "0.05"}[random.IntN(2)],
				"seed": fmt.Sprint(random.IntN(1000))}
			a, args, got := found(t, g, "kmeans", params)
			want, err := a.Oracle(g, args)
			if err != nil {
				t.Fatal(err)
			}
			if identical(t, got, want); t.Failed() {
				t.Fatalf("%s, %d vertices, %v", name, g.N(), params)
			}
		}
	}
}

// Centers that are drawn by kmeans++ find clusters that lie apart; those drawn evenly often leave one out.
func TestKMeans_FindsClustersApart(t *testing.T) {
	const clusters, each = 20, 15
	missed := map[string]int{}
	for seed := range 20 {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		g := positions(random, clusters*each, 1, 2)
		at := g.Properties["at"].Floats
		for v := range g.N() {
			at[2*v] += float64(100 * (v % clusters))
		}
		for _, sampler := range []string{"uniform", "kmeans++"} {
			_, _, got := found(t, g, "kmeans", map[string]string{"nodeProperty": "at", "k": fmt.Sprint(clusters),
				"initialSampler": sampler, "seed": fmt.Sprint(seed)})
			of := map[int64]map[int]bool{}
			for v, c := range got[0].Ints {
				if of[c] == nil {
					of[c] = map[int]bool{}
				}
				of[c][v%clusters] = true
			}
			missed[sampler] += clusters - len(of)
			for _, planted := range of {
				missed[sampler] += len(planted) - 1
			}
		}
	}
	if missed["kmeans++"] > 20 || missed["uniform"] < 40 {
		t.Errorf("of %d clusters %d are joined with another by kmeans++, %d where centers are drawn evenly", 20*clusters,
			missed["kmeans++"], missed["uniform"])
	}
}

// One number a vertex, as many clusters as vertices, and one cluster.
func TestKMeans_Limits(t *testing.T) {
	g := positions(rand.New(rand.NewPCG(1, 1)), 7, 1, 1)
	for k, mean := range map[string]float64{"7": 0, "100": 0, "1": -1} {
		a, _, got := found(t, g, "kmeans", map[string]string{"nodeProperty": "at", "k": k, "deltaThreshold": "0"})
		if m := a.Measures(got)[0].Value; mean >= 0 && m != mean || mean < 0 && m == 0 {
			t.Errorf("k=%s: mean distance %v", k, m)
		}
	}
	if _, err := algorithms.Lookup("k-means"); err != nil {
		t.Error(err)
	}
}
