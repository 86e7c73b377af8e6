package catalog_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
)

// ours are our names of Graphalytics' algorithms.
var ours = map[string]string{"bfs": "bfs", "pr": "pagerank", "wcc": "wcc", "cdlp": "cdlp", "lcc": "lcc", "sssp": "sssp"}

// expect compares an algorithm's oracle, verifier and, when asked, interpreted program
// with a reference output, by the rules of Graphalytics 1.0.1, section 2.4: exact for BFS
// and CDLP, equal partitions for WCC, floats within one part in 10⁴.
func expect(t *testing.T, g *algorithms.Graph, name string, params map[string]string, reference string,
	interpret bool) {
	t.Helper()
	a, err := catalog.Lookup(ours[name])
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	result, err := a.Oracle(g, args)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Verify(g, args, result); err != nil {
		t.Error(err)
	}
	compareReference(t, g, result[0], rows(t, reference), name == "wcc")
	if a.Program == nil || !interpret {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	if result, _, err = algorithms.RunProgram(g, p); err != nil {
		t.Fatal(err)
	}
	compareReference(t, g, result[0], rows(t, reference), name == "wcc")
}

func compareReference(t *testing.T, g *algorithms.Graph, got algorithms.Values, want [][]string, partition bool) {
	t.Helper()
	if len(want) != g.N() {
		t.Fatalf("%d reference values for %d vertices", len(want), g.N())
	}
	position := map[int64]int{}
	for v, id := range g.IDs {
		position[id] = v
	}
	there, back := map[int64]int64{}, map[int64]int64{}
	for _, row := range want {
		v := position[parseID(t, row[0])]
		if got.Type == algorithms.Float {
			if !withinTolerance(got.Floats[v], parseFloat(t, row[1])) {
				t.Fatalf("vertex %s: %v, want %s", row[0], got.Floats[v], row[1])
			}
			continue
		}
		label := parseID(t, row[1])
		if partition {
			label = pair(there, back, got.Ints[v], label)
		}
		if got.Ints[v] != label {
			t.Fatalf("vertex %s: %v, want %s", row[0], got.Ints[v], row[1])
		}
	}
}

// pair is label translated to our name of it, as the first pair of names decided.
func pair(there, back map[int64]int64, our, label int64) int64 {
	if _, known := there[label]; !known {
		there[label] = our
	}
	if _, known := back[our]; !known {
		back[our] = label
	}
	if back[our] != label {
		return our + 1
	}
	return there[label]
}

func withinTolerance(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-4*math.Abs(want)
}

// properties reads the algorithms and parameters of a .properties file.
func properties(t *testing.T, path string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, row := range rows(t, path) {
		key, value, _ := strings.Cut(strings.Join(row, ""), "=")
		_, key, _ = strings.Cut(strings.TrimPrefix(key, "graph."), ".")
		values[key] = value
	}
	return values
}

// parameters translates the properties of one algorithm into ours.
func parameters(values map[string]string, algorithm string) map[string]string {
	names := map[string]string{"source-vertex": "source", "num-iterations": "iterations",
		"max-iterations": "iterations", "damping-factor": "damping", "weight-property": "weight"}
	params := map[string]string{}
	for theirs, our := range names {
		if value, given := values[algorithm+"."+theirs]; given {
			params[our] = value
		}
	}
	return params
}

func TestGraphalytics_ExampleDataSets(t *testing.T) {
	folder := sharedData(t, "ldbc-graphalytics-validation", "example-data-sets", "graphs")
	files, err := filepath.Glob(filepath.Join(folder, "*.properties"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d property files, want 14; %v", len(files), err)
	}
	for _, file := range files {
		values, name := properties(t, file), strings.TrimSuffix(file, ".properties")
		g := graphalyticsGraph(t, name, values["directed"] == "true")
		for _, algorithm := range strings.Split(values["algorithms"], ",") {
			t.Run(filepath.Base(name)+"/"+algorithm, func(t *testing.T) {
				expect(t, g, algorithm, parameters(values, algorithm), name+"-"+strings.ToUpper(algorithm), true)
			})
		}
	}
}

// adjacency reads lines of a vertex and its neighbors. An undirected edge stands in the
// lists of both ends.
func adjacency(t *testing.T, path string, directed bool) *algorithms.Graph {
	t.Helper()
	b := newBuilder()
	seen := map[[2]string]bool{}
	for _, row := range rows(t, path) {
		b.vertex(t, row[0])
		for _, neighbor := range row[1:] {
			if !directed && seen[[2]string{neighbor, row[0]}] {
				continue
			}
			seen[[2]string{row[0], neighbor}] = true
			b.edge(t, []string{row[0], neighbor})
		}
	}
	return b.graph(directed)
}

func TestGraphalytics_ValidationGraphs(t *testing.T) {
	folder := sharedData(t, "ldbc-graphalytics-validation", "validation-graphs")
	iterations := map[string]string{"pr/dir": "14", "pr/undir": "26", "cdlp/dir": "5", "cdlp/undir": "5"}
	for algorithm := range ours {
		for _, kind := range []string{"dir", "undir"} {
			t.Run(algorithm+"/"+kind, func(t *testing.T) {
				input := filepath.Join(folder, algorithm, kind+"-input")
				params := map[string]string{}
				if k, ok := iterations[algorithm+"/"+kind]; ok {
					params["iterations"] = k
				}
				if algorithm == "bfs" || algorithm == "sssp" {
					params["source"] = "1"
				}
				var g *algorithms.Graph
				if algorithm == "sssp" {
					g = graphalyticsGraph(t, input, kind == "dir")
				} else {
					g = adjacency(t, input, kind == "dir")
				}
				expect(t, g, algorithm, params, filepath.Join(folder, algorithm, kind+"-output"), true)
			})
		}
	}
}

func TestGraphalytics_P2P31(t *testing.T) {
	long.Unraced(t)
	folder := sharedData(t, "p2p-31-graphalytics")
	for _, directed := range []bool{false, true} {
		g := graphalyticsGraph(t, filepath.Join(folder, "p2p-31"), directed)
		for algorithm, params := range map[string]map[string]string{
			"bfs": {"source": "6"}, "sssp": {"source": "6"}, "wcc": {}, "lcc": {},
			"pr": {"iterations": "10"}, "cdlp": {"iterations": "10"},
		} {
			reference := filepath.Join(folder, "p2p-31-"+strings.ToUpper(algorithm))
			switch {
			case directed && (algorithm == "lcc" || algorithm == "cdlp"):
				continue // the reference has these for the undirected graph only
			case directed && algorithm == "pr":
				continue // another recurrence: see the next test
			case directed && algorithm != "wcc":
				reference += "-directed"
			}
			t.Run(filepath.Base(reference), func(t *testing.T) {
				interpret := directed && algorithm != "wcc" // the interpreter is slow; these are enough
				expect(t, g, algorithm, params, reference, interpret)
			})
		}
	}
}

// p2p-31-PR-directed is not PageRank as Graphalytics 1.0.1 defines it, nor as Graphalytics'
// own directed validation graphs have it: it comes from a platform where a vertex without
// out-edges gets nothing along its in-edges, so that its ranks sum up to 0.46 instead of
// 1. We follow the definition. This test pins down that the difference is that rule and no
// other: with it all 62586 values agree, and they are not what our verifier accepts.
func TestGraphalytics_P2P31_PageRankDirected(t *testing.T) {
	long.Unraced(t)
	folder := sharedData(t, "p2p-31-graphalytics")
	g := graphalyticsGraph(t, filepath.Join(folder, "p2p-31"), true)
	rank := slices.Repeat([]float64{1 / float64(g.N())}, g.N())
	for range 10 {
		rank = theirPageRankStep(g, rank)
	}
	theirs := algorithms.Values{Column: algorithms.Column{Name: "rank", Type: algorithms.Float}, Floats: rank}
	compareReference(t, g, theirs, rows(t, filepath.Join(folder, "p2p-31-PR-directed")), false)
	a, err := catalog.Lookup("pagerank")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(map[string]string{"iterations": "10"}, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Verify(g, args, []algorithms.Values{theirs}); err == nil {
		t.Error("the reference satisfies Graphalytics' definition after all; compare with it directly")
	}
}

func theirPageRankStep(g *algorithms.Graph, rank []float64) []float64 {
	const damping = 0.85
	n, dangling := float64(g.N()), 0.0
	for v := range rank {
		if g.Out.Degree(v) == 0 {
			dangling += rank[v]
		}
	}
	next := slices.Repeat([]float64{(1-damping)/n + damping*dangling/n}, g.N())
	for u := range rank {
		for _, v := range g.Out.Of(u) {
			if g.Out.Degree(int(v)) > 0 {
				next[v] += damping * rank[u] / float64(g.Out.Degree(u))
			}
		}
	}
	return next
}
