package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// embedded runs node2vec on g.
func embedded(t *testing.T, g *algorithms.Graph, threads int, params map[string]string) algorithms.Values {
	t.Helper()
	a, err := catalog.Lookup("node2vec")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, g, 64<<20)
	r.threads = threads
	if err := r.procedure(a, args); err != nil {
		t.Fatal(err)
	}
	return r.column(a.Columns(args)[0])
}

// villages is a graph of communities of 25: an edge within one is 20 times as likely as one that leads out of it.
func villages(r *rand.Rand, communities int) *algorithms.Graph {
	n := 25 * communities
	ids, edges := make([]int64, n), []algorithms.Edge(nil)
	for v := range ids {
		ids[v] = int64(v)
		for u := range v {
			if chance := r.Float64(); chance < 0.015 || u/25 == v/25 && chance < 0.3 {
				edges = append(edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v)})
			}
		}
	}
	return algorithms.NewGraph(false, ids, edges)
}

// Vertices of one community have embeddings of similar direction, others have not.
func TestNode2Vec_TellsCommunities(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	g := villages(rand.New(rand.NewPCG(seed, 1)), 4)
	embedding := embedded(t, g, 2, map[string]string{"embeddingDimension": "16", "iterations": "3", "walkLength": "40",
		"initialLearningRate": "0.05", "positiveSamplingFactor": "0"})
	var sums, counts [2]float64
	for v := range g.N() {
		for u := range v {
			same := 0
			if u/25 == v/25 {
				same = 1
			}
			sums[same] += cosine(embedding, v, u)
			counts[same]++
		}
	}
	if apart, together := sums[0]/counts[0], sums[1]/counts[1]; together < 0.5 || together < 2*apart {
		t.Errorf("in a community the cosine is %.3f in the mean, between two %.3f", together, apart)
	}
}

func cosine(embedding algorithms.Values, v, u int) (sum float64) {
	width := embedding.Per()
	a, b := embedding.Floats[v*width:][:width], embedding.Floats[u*width:][:width]
	squares := [2]float64{}
	for k := range a {
		sum += a[k] * b[k]
		squares[0] += a[k] * a[k]
		squares[1] += b[k] * b[k]
	}
	return sum / math.Sqrt(squares[0]*squares[1])
}

// Vertices that are divided into parts give what the oracle gives, and the same bits with any number of threads.
func TestNode2Vec_InParts(t *testing.T) {
	const seed = 13
	t.Logf("seed %d", seed)
	g := villages(rand.New(rand.NewPCG(seed, 1)), 44)
	params := map[string]string{"embeddingDimension": "5", "walkLength": "6", "walksPerNode": "3", "windowSize": "2",
		"negativeSamplingRate": "3", "initialLearningRate": "0.1", "iterations": "2"}
	a, err := catalog.Lookup("node2vec")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	if embedding.NewEmbedding(args, g.N()).Parts == 1 {
		t.Fatalf("%d vertices are one part", g.N())
	}
	one, many := embedded(t, g, 1, params), embedded(t, g, 3, params)
	identical(t, []algorithms.Values{many}, []algorithms.Values{one})
	if err := a.Verify(g, args, []algorithms.Values{one}); err != nil {
		t.Error(err)
	}
}
