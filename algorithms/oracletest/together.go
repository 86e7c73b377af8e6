package oracletest

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Together completes parameters of a that have been drawn one by one, where it takes several that go together.
func Together(rng *rand.Rand, a *algorithms.Algorithm, params map[string]string) {
	if a.Name != "hashgnn" {
		return
	}
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
