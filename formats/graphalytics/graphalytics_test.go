package graphalytics

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// readPaths opens and drains a graph with leak-checked memory.
func readPaths(t testing.TB, paths ...string) (*sourcetest.Graph, formats.Schema, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	src, err := Open(context.Background(), paths, formats.Options{Allocator: mem})
	if err != nil {
		return nil, formats.Schema{}, err
	}
	g, err := sourcetest.Read(t, src)
	return g, src.Schema(), err
}

// writeGraph puts files into one folder, which it returns.
func writeGraph(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Any of the files, in any order, names the graph.
func TestOpen_PathsInAnyOrder(t *testing.T) {
	folder := writeGraph(t, map[string]string{
		"g.v": "3\n1\n\n2\n", "g.e": "1 2 0.5\n3 1 2\n",
		"g.properties": "# c\ngraph.g.directed = false\ngraph.g.meta.vertices = 3\ngraph.g.meta.edges = 2\ngraph.g.edge-properties.names = length\n",
	})
	v, e, p := filepath.Join(folder, "g.v"), filepath.Join(folder, "g.e"), filepath.Join(folder, "g.properties")
	for _, paths := range [][]string{{v, e}, {e, v}, {v}, {e}, {p, e, v}, {p}} {
		g, schema, err := readPaths(t, paths...)
		if err != nil {
			t.Fatalf("%v: %v", paths, err)
		}
		if !slices.Equal(g.Nodes, []string{"3", "1", "2"}) || !slices.Equal(g.Pairs(), []string{"1→2", "3→1"}) {
			t.Errorf("%v: nodes %v, edges %v", paths, g.Nodes, g.Edges)
		}
		if schema.Orientation != formats.Undirected || !schema.NodesDeclared || schema.Edge.Field(0).Name != "length" {
			t.Errorf("%v: schema %+v", paths, schema)
		}
	}
}

func TestOpen_VertexProperties(t *testing.T) {
	folder := writeGraph(t, map[string]string{"g.v": "5 1.5 2\n6 3 4\n", "g.e": "5 6\n"})
	g, schema, err := readPaths(t, filepath.Join(folder, "g.v"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(g.NodeValues, [][]float64{{1.5, 2}, {3, 4}}, slices.Equal) ||
		schema.Node.Field(1).Name != "column3" {
		t.Errorf("%v, %v", g.NodeValues, schema.Node)
	}
}

func TestOpen_NoEdges(t *testing.T) {
	folder := writeGraph(t, map[string]string{"g.v": "5\n", "g.e": ""})
	if g, _, err := readPaths(t, filepath.Join(folder, "g.v")); err != nil || len(g.Nodes) != 1 || len(g.Edges) != 0 {
		t.Errorf("%v, %v", g, err)
	}
}

func TestOpen_Bad(t *testing.T) {
	for _, c := range []struct {
		name, v, e, properties, want string
	}{
		{"no vertices", "", "1 2\n", "", "g.v: no vertices; expected one vertex id on each line"},
		{"negative vertex", "1\n-2\n", "1 2\n", "", `g.v:2:1: id "-2"; expected an id: an integer from 0 to 9223372036854775807 without leading zeros, or a name that starts with a letter`},
		{"more fields", "1\n2 3\n", "1 2\n", "", "g.v:2: 2 fields; expected 1, as on the first line"},
		{"vertex property", "1 x\n", "1 2\n", "", `g.v:1:3: "x"; expected a finite number`},
		{"edge of one field", "1\n2\n", "1 2\n2\n", "", `g.e:2: "2"; expected a source and a target parted by a tab, blanks or a comma`},
		{"direction", "1\n", "1 1\n", "graph.g.directed = maybe\n",
			`g.properties:1: "graph.g.directed = maybe"; expected directed = true or false`},
		{"count", "1\n", "1 1\n", "\ngraph.g.meta.edges = many\n",
			`g.properties:2: "graph.g.meta.edges = many"; expected a count`},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := writeGraph(t, map[string]string{"g.v": c.v, "g.e": c.e, "g.properties": c.properties})
			_, _, err := readPaths(t, filepath.Join(folder, "g.v"))
			expectError(t, err, folder, c.want)
		})
	}
}

func expectError(t *testing.T, err error, folder, want string) {
	t.Helper()
	var parse *formats.ParseError
	if !errors.As(err, &parse) {
		t.Fatalf("error %v is no ParseError", err)
	}
	if got := strings.TrimPrefix(err.Error(), folder+string(filepath.Separator)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOpen_BadPaths(t *testing.T) {
	folder := writeGraph(t, map[string]string{"g.v": "1\n", "h.e": "1 1\n", "x.txt": ""})
	at := func(name string) string { return filepath.Join(folder, name) }
	for want, paths := range map[string][]string{
		"g.v: no .e file beside it; expected a .v and an .e file of the same name": {at("g.v")},
		`x.txt: a file that ends in ".txt"; expected one .v file, one .e file and at most one .properties file`: {at(
			"x.txt")},
		`g.v: a file that ends in ".v"; expected one .v file, one .e file and at most one .properties file`: {at("g.v"),
			at("g.v")},
		"h.e: no .v file beside it; expected a .v and an .e file of the same name": {at("h.e")},
	} {
		_, _, err := readPaths(t, paths...)
		expectError(t, err, folder, want)
	}
}

// Every graph of the validation suite has the counts and the direction that its
// .properties file gives.
func TestOpen_ValidationGraphs(t *testing.T) {
	folder := sourcetest.SharedData(t, "ldbc-graphalytics-validation", "example-data-sets", "graphs")
	paths, err := filepath.Glob(filepath.Join(folder, "*.properties"))
	if err != nil || len(paths) != 14 {
		t.Fatalf("%d graphs, %v", len(paths), err)
	}
	for _, path := range paths {
		g, schema, err := readPaths(t, strings.TrimSuffix(path, ".properties")+".e")
		if err != nil {
			t.Error(err)
			continue
		}
		directed := strings.Contains(filepath.Base(path), "-directed")
		if schema.Vertices != int64(len(g.Nodes)) || schema.Edges != int64(len(g.Edges)) ||
			(schema.Orientation == formats.Directed) != directed {
			t.Errorf("%s: %d nodes, %d edges, schema %+v", path, len(g.Nodes), len(g.Edges), schema)
		}
	}
}

func TestOpen_Gnutella(t *testing.T) {
	g, schema, err := readPaths(t, sourcetest.SharedData(t, "p2p-31-graphalytics", "p2p-31.e.gz"))
	if err != nil || len(g.Nodes) != 62586 || len(g.Edges) != 147892 || schema.Edge.Field(0).Name != "weight" {
		t.Errorf("%d nodes, %d edges, %v", len(g.Nodes), len(g.Edges), err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add("1\n2\n", "1 2\n", "graph.g.directed = true\n")
	f.Add("1 7\n2 8\n", "1 2 0.5\n2 1 3\n", "graph.g.meta.edges = 2\ngraph.g.edge-properties.names = a, b\n")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, v, e, properties string) {
		folder := writeGraph(t, map[string]string{"g.v": v, "g.e": e, "g.properties": properties})
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		var err error
		sourcetest.CheckAllocated(t, len(v)+len(e)+len(properties), func() {
			var src formats.Source
			src, err = Open(context.Background(), []string{filepath.Join(folder, "g.e")},
				formats.Options{Allocator: mem, Memory: sourcetest.FuzzMemory})
			if err == nil {
				_, _, err = sourcetest.Count(src) // the store checks the counts of the .properties file
			}
		})
		var parse *formats.ParseError
		if err != nil && (!errors.As(err, &parse) || !strings.HasPrefix(parse.File, folder)) {
			t.Errorf("error %v names no file", err)
		}
	})
}
