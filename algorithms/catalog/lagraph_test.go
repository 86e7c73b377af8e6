package catalog_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// matrixGraph reads a Matrix Market file as a graph: entry (i,j) is the edge i→j, and both
// ways when the matrix is symmetric.
func matrixGraph(t *testing.T, name string) *algorithms.Graph {
	t.Helper()
	path := sharedData(t, "lagraph-data", name)
	all := rows(t, path)
	b := newBuilder()
	for i := int64(1); i <= parseID(t, all[0][0]); i++ {
		b.position[i] = uint32(i - 1)
		b.ids = append(b.ids, i)
	}
	for _, row := range all[1:] {
		b.edge(t, row[:2])
	}
	return b.graph(!symmetric(t, path))
}

func symmetric(t *testing.T, path string) bool {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return true // bcsstk13, the only gzipped one used here
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	return strings.Contains(header, "symmetric")
}

// knownResults is one group of known-results.json, decoded into into.
func knownResults(t *testing.T, group string, into any) {
	t.Helper()
	text, err := os.ReadFile(sharedData(t, "lagraph-data", "known-results.json"))
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(groups[group], into); err != nil {
		t.Fatal(err)
	}
}

// evaluate runs the named algorithm with its defaults: the program when there is one.
func evaluate(t *testing.T, g *algorithms.Graph, name string) []algorithms.Values {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(nil, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	if a.Program == nil {
		result, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	result, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestLAGraph_PageRank(t *testing.T) {
	var known map[string][]float64
	knownResults(t, "src/test/test_PageRank.c", &known)
	for matrix, key := range map[string]string{"karate.mtx": "karate_rank", "west0067.mtx": "west0067_rank",
		"ldbc-directed-example.mtx": "ldbc_directed_example_rank"} {
		rank := evaluate(t, matrixGraph(t, matrix), "pagerank")[0].Floats
		if len(rank) != len(known[key]) {
			t.Fatalf("%s: %d ranks, want %d", matrix, len(rank), len(known[key]))
		}
		for v := range rank {
			if math.Abs(rank[v]-known[key][v]) > 1e-4 {
				t.Errorf("%s: vertex %d has %v, want %v", matrix, v+1, rank[v], known[key][v])
			}
		}
	}
}

// table is LAGraph's form of a number for each matrix: [name, [number]].
type table struct {
	Table [][2]json.RawMessage `json:"table"`
}

func (tab table) each(t *testing.T, check func(matrix string, want int64)) {
	t.Helper()
	for _, row := range tab.Table {
		var name string
		var numbers []int64
		if json.Unmarshal(row[0], &name) != nil || json.Unmarshal(row[1], &numbers) != nil || len(numbers) == 0 {
			t.Fatalf("row %s", row)
		}
		check(name, numbers[0])
	}
}

func figure(t *testing.T, g *algorithms.Graph, name string) int64 {
	t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return a.Figures(evaluate(t, g, name))[0].Value
}

func TestLAGraph_Triangles(t *testing.T) {
	var tab table
	knownResults(t, "src/test/test_TriangleCount.c", &tab)
	tab.each(t, func(matrix string, want int64) {
		if got := figure(t, matrixGraph(t, matrix), "triangles"); got != want {
			t.Errorf("%s: %d triangles, want %d", matrix, got, want)
		}
	})
}

func TestLAGraph_Components(t *testing.T) {
	var tab table
	knownResults(t, "src/test/test_ConnectedComponents.c", &tab)
	tab.each(t, func(matrix string, want int64) {
		if got := figure(t, matrixGraph(t, matrix), "wcc"); got != want {
			t.Errorf("%s: %d components, want %d", matrix, got, want)
		}
	})
}

// LAGraph's reference coefficients are of the graph made simple and, for west0067, of
// its directed edges.
func TestLAGraph_LCC(t *testing.T) {
	var known struct {
		West []float64 `json:"lcc_west0067"`
	}
	knownResults(t, "experimental/test/test_lcc.c", &known)
	coefficient := evaluate(t, matrixGraph(t, "west0067.mtx"), "lcc")[0].Floats
	for v, want := range known.West {
		if math.Abs(coefficient[v]-want) > 1e-6 {
			t.Errorf("vertex %d has %v, want %v", v+1, coefficient[v], want)
		}
	}
}
