package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// lagraph is LAGraph's known results, by the test source that states them.
type lagraph map[string]json.RawMessage

func readLAGraph(t *testing.T) lagraph {
	t.Helper()
	text, err := os.ReadFile(sharedData(t, "lagraph-data", "known-results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known lagraph
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	return known
}

func (known lagraph) section(t *testing.T, source string, into any) {
	t.Helper()
	if err := json.Unmarshal(known[source], into); err != nil {
		t.Fatalf("%s: %v", source, err)
	}
}

// counts is a table of matrix names, each with one expected number.
func (known lagraph) counts(t *testing.T, source string) map[string]int {
	var section struct {
		Table [][2]json.RawMessage `json:"table"`
	}
	known.section(t, source, &section)
	counts := map[string]int{}
	for _, row := range section.Table {
		var name string
		var numbers []int
		if json.Unmarshal(row[0], &name) != nil || json.Unmarshal(row[1], &numbers) != nil || len(numbers) == 0 {
			t.Fatalf("%s: cannot read %s", source, row)
		}
		counts[name] = numbers[0]
	}
	return counts
}

// loadMatrix loads a LAGraph matrix under its own name, gzipped or not.
func loadMatrix(t *testing.T, db, name string, flags ...string) {
	t.Helper()
	path := sharedData(t, "lagraph-data", name)
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	outputOf(t, append([]string{"load", "--db", db, name, path}, flags...)...)
}

func TestLAGraphPageRank(t *testing.T) {
	var ranks map[string][]float64
	known := readLAGraph(t)
	known.section(t, "src/test/test_PageRank.c", &ranks)
	db := filepath.Join(t.TempDir(), "db")
	for name, key := range map[string]string{
		"karate.mtx": "karate_rank", "west0067.mtx": "west0067_rank",
		"ldbc-directed-example.mtx": "ldbc_directed_example_rank",
	} {
		t.Run(name, func(t *testing.T) {
			loadMatrix(t, db, name)
			got := runCSV(t, db, name, "pagerank", "--param", "tolerance=1e-7")
			requireNear(t, got, ranks[key])
		})
	}
}

// requireNear compares the values of vertices 1, 2, … with LAGraph's, which have so many digits.
func requireNear(t *testing.T, got map[string]string, want []float64) {
	t.Helper()
	for i, want := range want {
		value, err := strconv.ParseFloat(got[strconv.Itoa(i+1)], 64)
		if err != nil || math.Abs(value-want) > 1e-4 {
			t.Errorf("vertex %d: %v, want %v", i+1, value, want)
		}
	}
}

func TestLAGraphTriangles(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for name, want := range readLAGraph(t).counts(t, "src/test/test_TriangleCount.c") {
		t.Run(name, func(t *testing.T) {
			loadMatrix(t, db, name, "--undirected")
			corners := 0
			for id, text := range runCSV(t, db, name, "triangles") {
				n, err := strconv.Atoi(text)
				if err != nil {
					t.Fatalf("vertex %s: %v", id, err)
				}
				corners += n
			}
			if corners != 3*want {
				t.Errorf("%d corners, want 3 for each of %d triangles", corners, want)
			}
		})
	}
}

func TestLAGraphComponents(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for name, want := range readLAGraph(t).counts(t, "src/test/test_ConnectedComponents.c") {
		t.Run(name, func(t *testing.T) {
			loadMatrix(t, db, name)
			labels := map[string]bool{}
			for _, label := range runCSV(t, db, name, "wcc") {
				labels[label] = true
			}
			if len(labels) != want {
				t.Errorf("%d components, want %d", len(labels), want)
			}
		})
	}
}

func TestLAGraphBetweenness(t *testing.T) {
	var section map[string][]float64
	readLAGraph(t).section(t, "src/test/test_Betweenness.c", &section)
	db := filepath.Join(t.TempDir(), "db")
	for _, matrix := range []string{"karate", "west0067"} {
		t.Run(matrix, func(t *testing.T) {
			loadMatrix(t, db, matrix+".mtx")
			var sources []string
			for _, source := range section[matrix+"_sources"] {
				sources = append(sources, strconv.Itoa(int(source)+1))
			}
			got := runCSV(t, db, matrix+".mtx", "betweenness", "--param", "source="+strings.Join(sources, ","))
			requireNear(t, got, section[matrix+"_bc"])
		})
	}
}

func TestLAGraphCores(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for name, want := range readLAGraph(t).counts(t, "experimental/test/test_KCoreDecompose.c") {
		t.Run(name, func(t *testing.T) {
			loadMatrix(t, db, name, "--undirected")
			figures := objectOf(t, "run", "--db", db, "--graph", name, "k-core")["figures"].(map[string]any)
			if figures["largest core number"] != float64(want) {
				t.Errorf("the largest core number is %v, want %d", figures["largest core number"], want)
			}
		})
	}
}

func TestLAGraphStrongComponents(t *testing.T) {
	var section struct {
		Cover []int `json:"scc_cover"` // counted from 0
	}
	readLAGraph(t).section(t, "experimental/test/test_scc.c", &section)
	db := filepath.Join(t.TempDir(), "db")
	loadMatrix(t, db, "cover.mtx")
	got := runCSV(t, db, "cover.mtx", "scc")
	for i, want := range section.Cover {
		if label := got[strconv.Itoa(i+1)]; label != strconv.Itoa(want+1) {
			t.Errorf("vertex %d: %s, want %d", i+1, label, want+1)
		}
	}
}

func TestLAGraphLocalClustering(t *testing.T) {
	var section struct {
		West0067 []float64 `json:"lcc_west0067"`
	}
	readLAGraph(t).section(t, "experimental/test/test_lcc.c", &section)
	db := filepath.Join(t.TempDir(), "db")
	loadMatrix(t, db, "west0067.mtx")
	got := runCSV(t, db, "west0067.mtx", "lcc")
	for i, want := range section.West0067 {
		lcc, err := strconv.ParseFloat(got[strconv.Itoa(i+1)], 64)
		if err != nil || math.Abs(lcc-want) > 1e-5 {
			t.Errorf("vertex %d: %v, want %v", i+1, lcc, want)
		}
	}
}

func TestLAGraphLabelPropagation(t *testing.T) {
	var section struct {
		Jagmesh7 []int `json:"cdlp_jagmesh7"` // counted from 0
	}
	readLAGraph(t).section(t, "experimental/test/test_cdlp.c", &section)
	db := filepath.Join(t.TempDir(), "db")
	loadMatrix(t, db, "jagmesh7.mtx")
	got := runCSV(t, db, "jagmesh7.mtx", "cdlp", "--param", "iterations=100")
	for i, want := range section.Jagmesh7 {
		if label := got[strconv.Itoa(i+1)]; label != strconv.Itoa(want+1) {
			t.Fatalf("vertex %d: %s, want %d", i+1, label, want+1)
		}
	}
}
