package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// Vertices of one community come to have features in common, others have not. Without neighbors' influence none do but
// by chance.
func TestHashGNN_TellsCommunities(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	g := villages(rand.New(rand.NewPCG(seed, 1)), 4)
	gap := func(influence string) (together, apart float64) {
		_, _, result := found(t, g, "hashgnn", map[string]string{"iterations": "3", "embeddingDensity": "64",
			"generateFeatures.dimension": "256", "generateFeatures.densityLevel": "2", "neighborInfluence": influence})
		var sums, counts [2]float64
		for v := range g.N() {
			for u := range v {
				same := 0
				if u/25 == v/25 {
					same = 1
				}
				sums[same] += cosine(result[0], v, u)
				counts[same]++
			}
		}
		return sums[1] / counts[1], sums[0] / counts[0]
	}
	if together, apart := gap("1"); together < 0.4 || together < 1.4*apart {
		t.Errorf("in a community the cosine is %.3f in the mean, between two %.3f", together, apart)
	}
	if together, apart := gap("0"); together > 0.1 || apart > 0.1 {
		t.Errorf("without influence the cosine is %.3f in a community, %.3f between two", together, apart)
	}
}

// More rounds than one batch has, and a number of threads, come to the oracle's bits; another seed to others.
func TestHashGNN_InBatches(t *testing.T) {
	g := villages(rand.New(rand.NewPCG(3, 1)), 3)
	params := map[string]string{"iterations": "2", "embeddingDensity": "21", "generateFeatures.dimension": "130",
		"generateFeatures.densityLevel": "3", "outputDimension": "7"}
	a, args, got := found(t, g, "hashgnn", params)
	want, err := a.Oracle(g, args)
	if err != nil {
		t.Fatal(err)
	}
	identical(t, got, want)
	params["seed"] = "2"
	_, _, other := found(t, g, "hashgnn", params)
	if same := countSame(got[0], other[0]); same > len(got[0].Floats)/2 {
		t.Errorf("%d of %d numbers are the same by another seed", same, len(got[0].Floats))
	}
}

func countSame(a, b algorithms.Values) (same int) {
	for i := range a.Floats {
		if a.Floats[i] == b.Floats[i] {
			same++
		}
	}
	return same
}
