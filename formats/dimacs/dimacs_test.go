package dimacs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

var reader = sourcetest.Reader(Open)

// Both forms of a random graph come back, in order.
func TestOpen_RoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(rt, "n")
		m := rapid.IntRange(0, 30).Draw(rt, "m")
		end := rapid.IntRange(1, n)
		arcs, lines := "", ""
		var want []string
		for i := range m {
			src, dst := end.Draw(rt, "src"), end.Draw(rt, "dst")
			arcs += fmt.Sprintf("a %d %d %d\nc\n", src, dst, i)
			lines += fmt.Sprintf("%d %d\n", src, dst)
			want = append(want, fmt.Sprintf("%d→%d", src, dst))
		}
		g, schema := read(rt, t, fmt.Sprintf("c x\np sp %d %d\n", n, m)+arcs)
		if !slices.Equal(g.Pairs(), want) || len(g.Nodes) != n || schema.Orientation != formats.Directed {
			rt.Fatalf("arcs: got %v and %+v, want %v", g, schema, want)
		}
		for i, e := range g.Edges {
			if e.Values[0] != float64(i) || e.Line != int64(3+2*i) {
				rt.Fatalf("arc %d is %v", i, e)
			}
		}
		g, schema = read(rt, t, fmt.Sprintf("p tw %d %d\n", n, m)+lines)
		if !slices.Equal(g.Pairs(), want) || len(g.Nodes) != n || schema.Orientation != formats.Undirected ||
			schema.Edge != nil {
			rt.Fatalf("edges: got %v and %+v, want %v", g, schema, want)
		}
	})
}

func read(rt *rapid.T, t *testing.T, text string) (*sourcetest.Graph, formats.Schema) {
	g, schema, err := reader.ReadText(t, text)
	if err != nil {
		rt.Fatalf("%v in\n%s", err, text)
	}
	return g, schema
}

func TestOpen_PublishedGraphs(t *testing.T) {
	for _, c := range []struct {
		folder, name    string
		vertices, edges int
	}{
		{"road-dimacs9", "NY.gr.txt.gz", 264346, 365050},
		{"gapbs-test", "graphs/4.gr", 14, 256},
	} {
		g, _, err := reader.ReadFile(t, sourcetest.SharedData(t, c.folder, c.name), formats.Options{Columns: []string{"km"}})
		if err != nil || len(g.Nodes) != c.vertices || len(g.Edges) != c.edges {
			t.Errorf("%s: %d nodes, %d edges, %v", c.name, len(g.Nodes), len(g.Edges), err)
		}
	}
}

func TestOpen_Bad(t *testing.T) {
	const problem = `; expected a line "p sp" or "p tw" with the number of vertices and edges`
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: ": the end of the file" + problem},
		{Name: "comments only", Content: "c\nc x\n", Want: ":2: the end of the file" + problem},
		{Name: "no problem", Content: "a 1 2 3\n", Want: `:1: "a 1 2 3"` + problem},
		{Name: "another problem", Content: "p max 3 1\n", Want: `:1: "p max 3 1"` + problem},
		{Name: "negative count", Content: "p sp -3 1\n", Want: `:1: "p sp -3 1"` + problem},
		{Name: "too few", Content: "p sp 2 2\na 1 2 3\n",
			Want: ":2: the end after too few edges; expected the 2 that line 1 announces"},
		{Name: "too many", Content: "p tw 2 1\n1 2\n1 2\n", Want: `:3: "1 2"; expected the end: line 1 announces 1 edges`},
		{Name: "no a", Content: "p sp 2 1\n1 2 3\n", Want: `:2: "1 2 3"; expected "a", a source, a target and a weight`},
		{Name: "vertex 0", Content: "p tw 2 1\n0 2\n", Want: `:2:1: vertex "0"; expected a vertex from 1 to 2`},
		{Name: "vertex too large", Content: "p tw 2 1\n1 3\n", Want: `:2:3: vertex "3"; expected a vertex from 1 to 2`},
		{Name: "one field", Content: "p tw 2 1\n1\n", Want: `:2:2: vertex ""; expected a vertex from 1 to 2`},
		{Name: "weight missing", Content: "p sp 2 1\na 1 2\n", Want: `:2:6: weight ""; expected a finite number`},
		{Name: "NaN", Content: "p sp 2 1\na 1 2 nan\n", Want: `:2:7: weight "nan"; expected a finite number`},
		{Name: "further field", Content: "p tw 2 1\n1 2 3\n", Want: `:2:5: "3" after the edge; expected the end of the line`},
		{Name: "binary", Content: "p tw 2 1\n\x00\n", Want: ":2: binary data; expected text"},
	})
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "gapbs-test/graphs/*.gr", "c x\np sp 3 2\na 1 2 17\na 2 3 4\n", "p tw 3 2\n1 2\n2 3\n",
		strings.Repeat("c\n", 3))
}
