package centrality_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// Ranks add up: those from all vertices are the sum of those from each part of them, whatever the graph.
func TestUnscaledPageRank_AddsUp(t *testing.T) {
	for _, name := range []string{"unscaled-pagerank", "article-rank"} {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(50) {
			r := rand.New(rand.NewPCG(seed, 3))
			n := 2 + r.IntN(100)
			ids := make([]int64, n)
			for v := range ids {
				ids[v] = int64(v*3 - 50)
			}
			var edges []algorithms.Edge
			for range r.IntN(4 * n) {
				edges = append(edges, algorithms.Edge{Src: uint32(r.IntN(n)), Dst: uint32(r.IntN(n))})
			}
			g := algorithms.NewGraph(true, ids, edges)
			ranks := func(sources []int64) []float64 {
				params := map[string]string{"iterations": "30"}
				if sources != nil {
					var names []string
					for _, id := range sources {
						names = append(names, strconv.FormatInt(id, 10))
					}
					params["sourceNodes"] = strings.Join(names, ",")
				}
				args, err := a.Bind(params, oracletest.Env(g))
				if err != nil {
					t.Fatal(err)
				}
				result, err := a.Oracle(g, args)
				if err != nil {
					t.Fatal(err)
				}
				return result[0].Floats
			}
			cut := 1 + r.IntN(n-1)
			all, some, others := ranks(nil), ranks(g.IDs[:cut]), ranks(g.IDs[cut:])
			for v := range all {
				if math.Abs(all[v]-some[v]-others[v]) > 1e-9 {
					t.Fatalf("%s, seed %d: vertex %d has %v from all, %v and %v from parts", name, seed, g.IDs[v], all[v],
						some[v], others[v])
				}
			}
			if name == "unscaled-pagerank" && slices.Max(all) > float64(n) {
				t.Fatalf("seed %d: ranks %v of %d vertices", seed, all, n)
			}
		}
	}
}

// More than 100 vertices to begin at are refused, by the parameter's name.
func TestUnscaledPageRank_RefusesManySources(t *testing.T) {
	ids, names := make([]int64, 101), make([]string, 101)
	for v := range ids {
		ids[v], names[v] = int64(v), strconv.Itoa(v)
	}
	for _, name := range []string{"unscaled-pagerank", "article-rank"} {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		bind := func(count int) error {
			_, err := a.Bind(map[string]string{"sourceNodes": strings.Join(names[:count], ",")},
				oracletest.Env(algorithms.NewGraph(true, ids, nil)))
			return err
		}
		if err := bind(100); err != nil {
			t.Error(err)
		}
		if err, is := errors.AsType[*algorithms.ParamError](bind(101)); !is || err.Param != "sourceNodes" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
