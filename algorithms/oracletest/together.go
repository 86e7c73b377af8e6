package oracletest

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Together completes parameters of a that have been drawn one by one, for a graph of that many vertices, where it takes
// several that go together.
func Together(rng *rand.Rand, a *algorithms.Algorithm, vertices int, params map[string]string) {
	switch a.Name {
	case "kmeans":
		centers(rng, vertices, params)
	case "hashgnn":
		features(rng, params)
	case "fastrp":
		ratio(rng, params)
	}
}

// ratio is a share of the numbers of an embedding, where features are named: one at least, and now and then all.
func ratio(rng *rand.Rand, params map[string]string) {
	if delete(params, propertyRatio); params["featureProperties"] == "" || rng.IntN(4) == 0 {
		return
	}
	width := 128
	if given, err := strconv.Atoi(params["embeddingDimension"]); err == nil {
		width = given
	}
	share := (1 + rng.Float64()*float64(width-1)) / float64(width)
	if float64(width)*share < 1 || rng.IntN(4) == 0 {
		share = 1
	}
	params[propertyRatio] = strconv.FormatFloat(share, 'g', -1, 64)
}

const propertyRatio = "propertyRatio"

// centers are as many as there are clusters, as long as vectors, and searched from once.
func centers(rng *rand.Rand, vertices int, params map[string]string) {
	if params["seedCentroids"] == "" {
		return
	}
	k := 10
	if given, err := strconv.Atoi(params["k"]); err == nil {
		k = given
	}
	numbers := map[string]int{group: 1, place: 1, position: positionWidth, marks: marksWidth}[params["nodeProperty"]]
	var all []string
	for range k * width(numbers, vertices) {
		all = append(all, strconv.FormatFloat(rng.Float64()*4-2, 'g', -1, 64))
	}
	params["seedCentroids"], params["numberOfRestarts"] = strings.Join(all, ","), "1"
}

func features(rng *rand.Rand, params map[string]string) {
	upTo := func(most int) string { return strconv.Itoa(1 + rng.IntN(most)) }
	for name := range params {
		if strings.Contains(name, "Features.") || name == "outputDimension" {
			delete(params, name)
		}
	}
	params["iterations"], params["embeddingDensity"] = upTo(3), upTo(20)
	if rng.IntN(2) == 0 {
		params["outputDimension"] = upTo(9)
	}
	switch property := params["featureProperties"]; {
	case property == "":
		params["generateFeatures.dimension"], params["generateFeatures.densityLevel"] = strconv.Itoa(4+rng.IntN(70)), upTo(4)
	case property != marks || rng.IntN(2) == 0: // numbers of any size
		params["binarizeFeatures.dimension"] = upTo(70)
		if rng.IntN(2) == 0 {
			params["binarizeFeatures.threshold"] = strconv.FormatFloat(rng.Float64()*4-1, 'g', -1, 64)
		}
	}
}
