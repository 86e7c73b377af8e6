package cpu_test

import (
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
)

// What rounding leaves of features that cancel each other, here 0.1, 0.2 and -0.3 of three whose vectors are alike, is
// no direction.
func TestFastRP_FeaturesThatCancel(t *testing.T) {
	g := algorithms.NewGraph(false, []int64{7, 8}, nil)
	at := algorithms.NewValues(algorithms.Column{Name: "at", Type: algorithms.Float, Each: 3}, 2)
	copy(at.Floats, []float64{0.1, 0.2, -0.3, 0.1, 0.2, -0.4})
	g.Properties = map[string]algorithms.Values{"at": at}
	alike := func(seed int64) bool {
		var vectors [3][1]float64
		for number := range vectors {
			embedding.FastRPFeatureSigns(number, seed, vectors[number][:])
		}
		return vectors[0] == vectors[1] && vectors[1] == vectors[2] && vectors[0][0] != 0
	}
	seed := int64(1)
	for !alike(seed) {
		seed++
	}
	_, _, result := found(t, g, "fastrp", map[string]string{"embeddingDimension": "1", "propertyRatio": "1",
		"featureProperties": "at", "nodeSelfInfluence": "1", "seed": strconv.FormatInt(seed, 10)})
	if none, some := result[0].Floats[0], result[0].Floats[1]; none != 0 || some*some != 1 {
		t.Errorf("by seed %d embeddings are %v and %v", seed, none, some)
	}
}
