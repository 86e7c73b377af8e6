package cpu_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Similarities by weights are those of the oracle, on graphs of parallel edges and loops, with any other parameters, by
// each metric.
func TestNodeSimilarity_ByWeights(t *testing.T) {
	a, err := catalog.Lookup("node-similarity")
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []string{"jaccard", "overlap", "cosine"} {
		t.Run(metric, func(t *testing.T) {
			random := testseed.Rand(t)
			for i := range 40 {
				g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 1 + random.IntN(60), Directed: i%2 == 0})
				if g.M() == 0 {
					continue // nothing has weights
				}
				params := oracletest.Params(random, a, g, false)
				params["weight"], params["similarityMetric"] = "weight", metric
				args, err := a.Bind(params, oracletest.Env(g))
				if err != nil {
					t.Fatal(err)
				}
				if compareWith(t, g, a, args); t.Failed() {
					t.Fatalf("graph %d: %+v, %v", i, g, params)
				}
			}
		})
	}
}
