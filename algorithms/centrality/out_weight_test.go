package centrality_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// An edge of weight 3 passes on what three edges do, and one of no weight or less what none does.
func TestWeight_IsSoManyEdges(t *testing.T) {
	for _, name := range []string{"pagerank", "unscaled-pagerank"} {
		for seed := range uint64(50) {
			r := rand.New(rand.NewPCG(seed, 4))
			n := 1 + r.IntN(60)
			ids := make([]int64, n)
			for v := range ids {
				ids[v] = int64(v)
			}
			var weighted, parallel []algorithms.Edge
			for range r.IntN(3 * n) {
				e := algorithms.Edge{Src: uint32(r.IntN(n)), Dst: uint32(r.IntN(n))}
				weight := r.IntN(6) - 2
				for range weight {
					parallel = append(parallel, e)
				}
				e.Weights = map[string]float64{"weight": float64(weight)}
				weighted = append(weighted, e)
			}
			directed := seed%2 == 0
			got := ranked(t, name, algorithms.NewGraph(directed, ids, weighted), map[string]string{"weight": "weight"})
			want := ranked(t, name, algorithms.NewGraph(directed, ids, parallel), nil)
			if err := oracletest.Differ(got, want, oracletest.Rounding); err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
		}
	}
}

// ranked is the result by the program, which is also the oracle's.
func ranked(t *testing.T, name string, g *algorithms.Graph, params map[string]string) []algorithms.Values {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	env := oracletest.Env(g)
	env.EdgeColumns = []string{"weight"} // also without edges
	args, err := a.Bind(params, env)
	if err != nil {
		t.Fatal(err)
	}
	if g.M() == 0 {
		return must(a.Oracle(g, args))
	}
	program, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := algorithms.RunProgram(g, program)
	if err != nil {
		t.Fatal(err)
	}
	if err := oracletest.Differ(state[:1], must(a.Oracle(g, args)), oracletest.Rounding); err != nil {
		t.Fatalf("%s %v: %v", name, params, err)
	}
	return state[:1]
}

// must has no oracle fail.
func must(result []algorithms.Values, err error) []algorithms.Values {
	if err != nil {
		panic(err)
	}
	return result
}

// ArticleRank by weights, too, is what its definition says.
func TestWeight_OfArticleRank(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := oracletest.RandomGraph(r, oracletest.Config{Directed: seed%2 == 0})
		if g.M() > 0 {
			ranked(t, "article-rank", g, map[string]string{"weight": "weight"})
		}
	}
}
