package adjacency

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

var (
	directed   = sourcetest.Reader(Open)
	undirected = sourcetest.Reader(OpenUndirected)
	metisGraph = sourcetest.Reader(OpenMetis)
	webGraph   = sourcetest.Reader(OpenWebGraph)
)

// lists is a random simple graph: targets[v] are v's out-neighbors, from 0, ascending.
// An undirected one holds each edge at both ends.
func lists(rt *rapid.T, undirected bool) (targets [][]int, edges int) {
	n := rapid.IntRange(1, 12).Draw(rt, "vertices")
	targets = make([][]int, n)
	for v := range n {
		for w := range n {
			if undirected && w < v || !rapid.Bool().Draw(rt, "edge") {
				continue
			}
			edges++
			targets[v] = append(targets[v], w)
			if undirected && w != v {
				targets[w] = append(targets[w], v)
			}
		}
	}
	return targets, edges
}

// pairs are the edges of lists, ids counted from base, sorted; of undirected ones the
// entry at the smaller end.
func pairs(targets [][]int, base int, undirected bool) []string {
	var all []string
	for v, list := range targets {
		for _, w := range list {
			if !undirected || v <= w {
				all = append(all, fmt.Sprintf("%d→%d", v+base, w+base))
			}
		}
	}
	slices.Sort(all)
	return all
}

// text writes the lists, ids counted from base, each after prefix.
func text(targets [][]int, base int, prefix func(v int) string) string {
	var b strings.Builder
	for v, list := range targets {
		b.WriteString(prefix(v))
		for _, w := range list {
			fmt.Fprintf(&b, " %d", w+base)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// All forms of one directed graph have its vertices and edges.
func TestOpen_Directed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		targets, edges := lists(rt, false)
		n := len(targets)
		plain := "# c\n" + text(targets, 5, func(v int) string { return fmt.Sprint(v + 5) })
		expect(rt, t, directed, plain, n, pairs(targets, 5, false), formats.Directed)
		web := fmt.Sprintf("%d\n", n) + text(targets, 0, noPrefix)
		expect(rt, t, webGraph, web, n, pairs(targets, 0, false), formats.Directed)
		if 2*edges == edges+loops(targets) {
			return // METIS cannot tell loops alone from an undirected graph
		}
		metis := fmt.Sprintf("%% c\n%d %d 100\n", n, edges) + text(targets, 1, noPrefix)
		expect(rt, t, metisGraph, metis, n, pairs(targets, 1, false), formats.Directed)
	})
}

// An undirected graph comes back with each edge once.
func TestOpen_Undirected(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		targets, edges := lists(rt, true)
		n := len(targets)
		plain := text(targets, 10, func(v int) string { return fmt.Sprint(v + 10) })
		expect(rt, t, undirected, plain, n, pairs(targets, 10, true), formats.Undirected)
		metis := fmt.Sprintf("%d %d\n", n, edges) + text(targets, 1, noPrefix)
		expect(rt, t, metisGraph, metis, n, pairs(targets, 1, true), formats.Undirected)
	})
}

func noPrefix(int) string { return "" }

func loops(targets [][]int) int {
	n := 0
	for v, list := range targets {
		if slices.Contains(list, v) {
			n++
		}
	}
	return n
}

func expect(rt *rapid.T, t *testing.T, reader sourcetest.Reader, text string, vertices int, pairs []string,
	orientation formats.Orientation) {
	t.Helper()
	g, schema, err := reader.ReadText(t, text)
	if err != nil {
		rt.Fatalf("%v in\n%s", err, text)
	}
	got := g.Pairs()
	slices.Sort(got)
	if len(g.Nodes) != vertices || !slices.Equal(got, pairs) || schema.Orientation != orientation {
		rt.Fatalf("%d nodes, edges %v, schema %+v; want %d, %v, orientation %d of\n%s", len(g.Nodes), got, schema, vertices,
			pairs, orientation, text)
	}
}

// Lists that hold an edge at one end only are refused, whichever entry is missing.
func TestOpenUndirected_MissingEntry(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		targets, _ := lists(rt, true)
		v := rapid.IntRange(0, len(targets)-1).Draw(rt, "vertex")
		if len(targets[v]) == 0 {
			return
		}
		i := rapid.IntRange(0, len(targets[v])-1).Draw(rt, "entry")
		if targets[v][i] == v {
			return
		}
		targets[v] = slices.Delete(targets[v], i, i+1)
		_, _, err := undirected.ReadText(t, text(targets, 0, func(v int) string { return fmt.Sprint(v) }))
		if err == nil || !strings.Contains(err.Error(), "an edge that stands in one of its two lists only") {
			rt.Fatalf("%v for %v", err, targets)
		}
	})
}

func TestOpen_Names(t *testing.T) {
	g, _, err := undirected.ReadText(t, "ann bob 7\nbob ann\n7 ann\n")
	if err != nil || !slices.Equal(g.Nodes, []string{"ann", "bob", "7"}) ||
		!slices.Equal(g.Pairs(), []string{"ann→bob", "7→ann"}) {
		t.Errorf("%v, %v", g, err)
	}
}

// The validation graphs are the .v and .e files of the same folder in this form.
func TestOpen_ValidationGraphs(t *testing.T) {
	folder := sourcetest.SharedData(t, "ldbc-graphalytics-validation", "validation-graphs", "example")
	for kind, reader := range map[string]sourcetest.Reader{"directed": directed, "undirected": undirected} {
		got, _, err := reader.ReadFile(t, filepath.Join(folder, "example-"+kind+"-input"), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := sourcetest.Reader(edgelist.Open).ReadFile(t, filepath.Join(folder, "example-"+kind+".e"),
			formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := unordered(got, kind), unordered(want, kind); !slices.Equal(a, b) {
			t.Errorf("%s: got %v\nwant %v", kind, a, b)
		}
	}
}

// unordered are the edges, sorted; of an undirected graph with the ends in order.
func unordered(g *sourcetest.Graph, kind string) []string {
	var all []string
	for _, e := range g.Edges {
		if kind == "undirected" && e.Dst < e.Src {
			e.Src, e.Dst = e.Dst, e.Src
		}
		all = append(all, e.Src+"→"+e.Dst)
	}
	slices.Sort(all)
	return all
}

func TestOpen_AllValidationGraphs(t *testing.T) {
	root := sourcetest.SharedData(t, "ldbc-graphalytics-validation", "validation-graphs")
	for kind, reader := range map[string]sourcetest.Reader{"dir": directed, "undir": undirected} {
		paths, err := filepath.Glob(filepath.Join(root, "*", kind+"-input"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%v, %v", paths, err)
		}
		for _, path := range paths {
			if _, _, err := reader.ReadFile(t, path, formats.Options{}); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestOpen_Bad(t *testing.T) {
	const id = "; expected an id: an integer from 0 to 9223372036854775807 without leading zeros, or a name that starts with a letter"
	directed.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "# c\n", Want: ": no vertices; expected a vertex and its neighbors on each line"},
		{Name: "negative vertex", Content: "1 2\n-2\n", Want: `:2:1: id "-2"` + id},
		{Name: "fractional neighbor", Content: "1 2\n2 1.5\n", Want: `:2:3: id "1.5"` + id},
	})
}

func FuzzOpen(f *testing.F) {
	directed.Fuzz(f, "ldbc-graphalytics-validation/validation-graphs/*/dir-input", "1 2 3\n2\n3 1\n", "# c\na b\nb\n",
		"1 -2\n")
}

func FuzzOpenUndirected(f *testing.F) {
	undirected.Fuzz(f, "ldbc-graphalytics-validation/validation-graphs/*/undir-input", "1 2\n2 1\n", "a a b\nb a\n",
		"1 2\n")
}

// Only where every edge stands at both ends does every vertex have a list.
func TestOpen_TargetWithoutList(t *testing.T) {
	g, schema, err := directed.ReadText(t, "1 2 3\n2 3\n")
	if err != nil || schema.NodesDeclared || !slices.Equal(g.Pairs(), []string{"1→2", "1→3", "2→3"}) {
		t.Errorf("edges %v, nodes declared %t, error %v", g.Pairs(), schema.NodesDeclared, err)
	}
	if _, schema, err = undirected.ReadText(t, "1 2\n2 1\n"); err != nil || !schema.NodesDeclared {
		t.Errorf("undirected: nodes declared %t, error %v", schema.NodesDeclared, err)
	}
}
