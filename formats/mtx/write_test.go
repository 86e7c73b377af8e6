package mtx

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/input"
)

// oriented is a source that declares an orientation.
type oriented struct {
	formats.Source
	orientation formats.Orientation
}

func (o oriented) Schema() formats.Schema {
	s := o.Source.Schema()
	s.Orientation = o.orientation
	return s
}

func weighted(t arrow.DataType) *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "other", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "weight", Type: t, Nullable: true},
	}, nil)
}

func writeGraph(t testing.TB, dir string, g *graphtest.Graph, o formats.Orientation, mem memory.Allocator) (string,
	error) {
	t.Helper()
	if err := Write(context.Background(), oriented{g.Source(mem, 2), o}, dir); err != nil {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(dir, Files[0]))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n"), nil
}

func TestWrite(t *testing.T) {
	const comment = "% vertices count from 1; graph.ids.csv, when there is one, lists what the graph calls them\n"
	edges := func(values ...any) []graphtest.Edge {
		return []graphtest.Edge{
			{Src: "a", Dst: "7", Values: []any{int64(0), values[0]}}, {Src: "7", Dst: "7", Values: []any{int64(0), values[1]}},
		}
	}
	for _, c := range []struct {
		name        string
		graph       graphtest.Graph
		orientation formats.Orientation
		want        string
	}{
		{"real general", graphtest.Graph{EdgeSchema: weighted(arrow.PrimitiveTypes.Float64), Edges: edges(0.1, -3e300)},
			formats.Directed,
			"%%MatrixMarket matrix coordinate real general\n% values: edge property \"weight\"\n" + comment +
				"2 2 2\n1 2 0.1\n2 2 -3e+300"},
		{"integer symmetric", graphtest.Graph{EdgeSchema: weighted(arrow.PrimitiveTypes.Int64),
			Edges: edges(int64(5), int64(-5))}, formats.Undirected,
			"%%MatrixMarket matrix coordinate integer symmetric\n% values: edge property \"weight\"\n" + comment +
				"2 2 2\n2 1 5\n2 2 -5"},
		{"no weight", graphtest.Graph{EdgeSchema: weighted(arrow.BinaryTypes.String), Edges: edges("x", nil)},
			formats.Directed,
			"%%MatrixMarket matrix coordinate pattern general\n" + comment + "2 2 2\n1 2\n2 2"},
		{"pattern, a node without edges", graphtest.Graph{
			NodesDeclared: true, Nodes: []graphtest.Node{{ID: "a"}, {ID: "b"}, {ID: "7"}},
			Edges: []graphtest.Edge{{Src: "7", Dst: "a"}},
		}, formats.OrientationUnknown, "%%MatrixMarket matrix coordinate pattern general\n" + comment + "3 3 1\n3 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			dir := t.TempDir()
			got, err := writeGraph(t, dir, &c.graph, c.orientation, mem)
			if err != nil || got != c.want {
				t.Errorf("%v\n%s", err, got)
			}
			ids, err := os.ReadFile(filepath.Join(dir, Files[1]))
			if err != nil || !strings.HasPrefix(string(ids), "number,id\n1,a\n") || !strings.Contains(string(ids), ",7\n") {
				t.Errorf("%v\n%s", err, ids)
			}
		})
	}
}

func TestWrite_ValuesWithoutSpelling(t *testing.T) {
	for value, want := range map[any]string{nil: `has no "weight"`, math.Inf(-1): `has "weight" -Inf`} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		g := &graphtest.Graph{EdgeSchema: weighted(arrow.PrimitiveTypes.Float64),
			Edges: []graphtest.Edge{{Src: "a", Dst: "b", Values: []any{int64(1), value}}}}
		_, err := writeGraph(t, t.TempDir(), g, formats.Directed, mem)
		if err == nil || err.Error() != "the edge from a to b "+want+", which Matrix Market cannot express" {
			t.Errorf("got %v", err)
		}
	}
}

// TestWrite_RoundTrip reads random graphs back; undirected ones may swap an edge's ends.
func TestWrite_RoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		n := rapid.IntRange(1, 9).Draw(rt, "vertices")
		g := &graphtest.Graph{NodesDeclared: true, EdgeSchema: weighted(arrow.PrimitiveTypes.Float64)}
		for i := range n {
			g.Nodes = append(g.Nodes, graphtest.Node{ID: strconv.Itoa(i + 1)})
		}
		orientation := rapid.SampledFrom([]formats.Orientation{formats.Directed, formats.Undirected}).Draw(rt, "orientation")
		pair := rapid.Custom(func(t *rapid.T) [2]int {
			p := [2]int{rapid.IntRange(1, n).Draw(t, "source"), rapid.IntRange(1, n).Draw(t, "target")}
			if orientation == formats.Undirected {
				sort.Ints(p[:])
			}
			return p
		})
		var want []string
		for _, p := range rapid.SliceOfNDistinct(pair, 0, 12, rapid.ID[[2]int]).Draw(rt, "edges") {
			e := graphtest.Edge{Src: strconv.Itoa(p[0]), Dst: strconv.Itoa(p[1]),
				Values: []any{int64(0), rapid.Float64().Draw(rt, "weight")}}
			g.Edges = append(g.Edges, e)
			want = append(want, spell(e.Src, e.Dst, e.Values[1], orientation))
		}
		if _, err := writeGraph(t, dir, g, orientation, mem); err != nil {
			rt.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, Files[1])); err == nil {
			rt.Fatal("a list of ids that are 1 … n")
		}
		got := readBack(rt, filepath.Join(dir, Files[0]), n, orientation, mem)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("got %v\nwant %v", got, want)
		}
	})
}

func spell(src, dst string, weight any, o formats.Orientation) string {
	if o == formats.Undirected && src > dst {
		src, dst = dst, src
	}
	return src + " " + dst + " " + strconv.FormatFloat(weight.(float64), 'g', -1, 64)
}

func readBack(t *rapid.T, path string, vertices int, o formats.Orientation, mem memory.Allocator) []string {
	file, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, err := Open(file, formats.Options{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	g, err := graphtest.Collect(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if src.Schema().Orientation != o || len(g.Nodes) != vertices {
		t.Fatalf("%v, %d nodes", src.Schema(), len(g.Nodes))
	}
	var edges []string
	for _, e := range g.Edges {
		edges = append(edges, spell(e.Src, e.Dst, e.Values[0], o))
	}
	return edges
}
