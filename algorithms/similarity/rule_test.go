package similarity

import (
	"math"
	"testing"
)

// Weights that are rounded to nothing beside the largest make no similarity that is not a number: the product of the
// least weight and the largest may count where the square of the least does not.
func TestSimilarityRule_TinyWeights(t *testing.T) {
	rule := Rule{Weighted: true, metric: "cosine", terms: productOfWeights}
	weights, err := rule.Weights(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tiny := range []float64{0x1p-31, 0x1p-40, 0x1p-300} {
		units := [3]int64{weights.Between(tiny, 1), weights.Between(tiny, tiny), weights.Between(1, 1)}
		score := rule.Score(weights.Sum(units[0]), weights.Sum(units[1]), weights.Sum(units[2]))
		if math.IsInf(score, 0) || math.IsNaN(score) || units[1] == 0 && score != 0 {
			t.Errorf("weights of %v and 1: similarity %v", tiny, score)
		}
	}
}
