package cpu_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// In a graph of many short ways between two vertices flows are taken back, and many trees weigh the same.
func TestProcedures_FlowsAndTreesAmongMany(t *testing.T) {
	random := testseed.Rand(t)
	for i := range 40 {
		g := layered(random, i%2 == 0)
		for name, targets := range testseed.Sorted(map[string]string{"max-flow": "", "steiner-tree": "targets"}) {
			a, err := catalog.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			params := map[string]string{"source": strconv.FormatInt(g.IDs[0], 10)}
			if params["target"] = strconv.FormatInt(g.IDs[g.N()-1], 10); targets != "" {
				delete(params, "target")
				params[targets] = oracletest.Vertices(random, g)
			}
			args, err := a.Bind(params, oracletest.Env(g))
			if err != nil {
				t.Fatal(err)
			}
			if compareWith(t, g, a, args); t.Failed() {
				t.Fatalf("graph %d, %v", i, params)
			}
		}
	}
}

// layered is a graph of five layers of six vertices between the first and the last: edges lead within a layer, to the
// next, and back.
func layered(random *rand.Rand, directed bool) *algorithms.Graph {
	const layers, width = 5, 6
	ids := make([]int64, layers*width+2)
	for v, p := range random.Perm(len(ids)) {
		ids[v] = int64(3 * p)
	}
	var edges []algorithms.Edge
	join := func(v, u int) { edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32(u)}) }
	for v := 1; v <= width; v++ {
		join(0, v)
		join(len(ids)-1-v, len(ids)-1)
	}
	for range 2 * layers * width {
		from := random.IntN(layers)
		to := min(max(from+random.IntN(3)-1, 0), layers-1)
		join(1+from*width+random.IntN(width), 1+to*width+random.IntN(width))
	}
	return algorithms.NewGraph(directed, ids, edges)
}
