package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
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
			k := 1 + random.IntN(20)
			params := map[string]string{"nodeProperty": "at", "k": fmt.Sprint(k),
				"initialSampler":   []string{"uniform", "kmeans++"}[random.IntN(2)],
				"numberOfRestarts": fmt.Sprint(1 + random.IntN(3)), "deltaThreshold": []string{"0", "0.05"}[random.IntN(2)],
				"seed": fmt.Sprint(random.IntN(1000))}
			if random.IntN(3) == 0 {
				var given []string
				for range k * g.Properties["at"].Each {
					given = append(given, fmt.Sprint(float32(at[random.IntN(len(at))])))
				}
				params["seedCentroids"], params["numberOfRestarts"] = strings.Join(given, ","), "1"
			}
			params["computeSilhouette"] = []string{"true", "false"}[random.IntN(2)]
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

// Silhouettes of four vertices in two clusters, whose centers are given, by hand; of one that is alone, and of those
// that are all in one cluster, they are 0.
func TestKMeans_Silhouettes(t *testing.T) {
	for _, c := range []struct {
		at    []float64
		seeds string
		want  []float64
	}{
		{[]float64{0, 1, 10, 11}, "0,10", []float64{9.5 / 10.5, 8.5 / 9.5, 8.5 / 9.5, 9.5 / 10.5}},
		{[]float64{0, 2, 9}, "0,9", []float64{7.0 / 9, 5.0 / 7, 0}},
		{[]float64{0, 1, 2}, "0,99", []float64{0, 0, 0}},
		{[]float64{3, 3, 3}, "3,3", []float64{0, 0, 0}},
	} {
		g := positions(rand.New(rand.NewPCG(1, 1)), len(c.at), 1, 1)
		copy(g.Properties["at"].Floats, c.at)
		a, _, got := found(t, g, "kmeans", map[string]string{"nodeProperty": "at", "k": "2", "seedCentroids": c.seeds,
			"computeSilhouette": "true"})
		mean := 0.0
		for v, want := range c.want {
			mean += want / float64(len(c.want))
			if math.Abs(got[2].Floats[v]-want) > 1e-12 {
				t.Errorf("%v: silhouettes %v; expected %v", c.at, got[2].Floats, c.want)
			}
		}
		if m := a.Measures(got)[1]; m.Name != "mean silhouette" || math.Abs(m.Value-mean) > 1e-12 {
			t.Errorf("%v: %+v; expected %v", c.at, m, mean)
		}
	}
}

// Centers that are given are as many as clusters, as long as vectors, and searched from once.
func TestKMeans_RefusesCenters(t *testing.T) {
	g := positions(rand.New(rand.NewPCG(1, 1)), 7, 1, 2)
	a, err := catalog.Lookup("kmeans")
	if err != nil {
		t.Fatal(err)
	}
	for seeds, why := range map[string]string{"1,2": "there are 2 numbers; expected 2 centers of 2 each", "1,2,3,4,5": "there are 5",
		"1,2,3,nan": "finite", "1,2,3,1e39": "at most", "1,2,3,4": "every search would be the same"} {
		_, err := a.Bind(map[string]string{"nodeProperty": "at", "k": "2", "seedCentroids": seeds, "numberOfRestarts": "2"},
			oracletest.Env(g))
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v; expected: %s", seeds, err, why)
		}
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
	if _, err := catalog.Lookup("k-means"); err != nil {
		t.Error(err)
	}
}
