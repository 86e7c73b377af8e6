package edgelist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

var reader = sourcetest.Reader(Open)

// Whatever way edges are written down, they come back.
func TestOpen_RoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(2, 5).Draw(rt, "width")
		id := rapid.OneOf(
			rapid.Map(rapid.Int64Min(0), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.StringMatching(`[A-Za-zé_][A-Za-z0-9_.:-]{0,8}`),
		)
		var want []sourcetest.Edge
		var text strings.Builder
		for i := range rapid.IntRange(1, 30).Draw(rt, "edges") {
			text.WriteString(rapid.SampledFrom([]string{"", "# comment\n", "% x y\n", "//\n", "\n", " \t\r\n"}).Draw(rt,
				"between"))
			edge := sourcetest.Edge{Src: id.Draw(rt, "src"), Dst: id.Draw(rt, "dst")}
			if i == 0 {
				edge.Src = "0" // an integer in the first line: no column titles
			}
			fields := []string{edge.Src, edge.Dst}
			for range width - 2 {
				x := rapid.Float64().Draw(rt, "value")
				edge.Values = append(edge.Values, x)
				fields = append(fields, strconv.FormatFloat(x, 'g', -1, 64))
			}
			edge.Line = int64(strings.Count(text.String(), "\n")) + 1
			want = append(want, edge)
			text.WriteString(strings.Join(fields, rapid.SampledFrom([]string{" ", "\t", ",", " , ", "  \t"}).Draw(rt,
				"separator")))
			text.WriteString(rapid.SampledFrom([]string{"\n", "\r\n", "\t\n"}).Draw(rt, "end"))
		}
		got, schema, err := reader.ReadText(t, text.String())
		if err != nil {
			rt.Fatalf("%v in\n%s", err, text.String())
		}
		if !slices.EqualFunc(got.Edges, want, equalEdges) || len(got.Nodes) != 0 || schema.NodesDeclared {
			rt.Fatalf("got %v\nwant %v", got.Edges, want)
		}
	})
}

func equalEdges(a, b sourcetest.Edge) bool {
	return a.Src == b.Src && a.Dst == b.Dst && a.Line == b.Line && slices.Equal(a.Values, b.Values)
}

// More edges than one batch holds keep their order, values and lines.
func TestOpen_SeveralBatches(t *testing.T) {
	const edges = 2*formats.BatchRows + 7
	var text strings.Builder
	for i := range edges {
		fmt.Fprintf(&text, "%d %d %d\n", i, i+1, i%100)
	}
	g, _, err := reader.ReadText(t, text.String())
	if err != nil || len(g.Edges) != edges {
		t.Fatalf("%d edges, %v", len(g.Edges), err)
	}
	for i, e := range g.Edges {
		if e.Src != strconv.Itoa(i) || e.Dst != strconv.Itoa(i+1) || e.Values[0] != float64(i%100) || e.Line != int64(i+1) {
			t.Fatalf("edge %d is %v", i, e)
		}
	}
}

func TestOpen_ColumnNames(t *testing.T) {
	path := sourcetest.WriteFile(t, "edges", "1 2 3 4 5\n")
	for _, c := range []struct{ columns, want []string }{
		{nil, []string{"weight", "column4", "column5"}},
		{[]string{"rating", "time"}, []string{"rating", "time", "column5"}},
	} {
		_, schema, err := reader.ReadFile(t, path, formats.Options{Columns: c.columns})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, field := range schema.Edge.Fields() {
			got = append(got, field.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("columns %v: got %v, want %v", c.columns, got, c.want)
		}
	}
}

func TestOpen_SameColumnNames(t *testing.T) {
	path := sourcetest.WriteFile(t, "edges", "1 2 3 4\n")
	_, _, err := reader.ReadFile(t, path, formats.Options{Columns: []string{"column4"}})
	if err == nil || err.Error() != path+`:1: two columns called "column4"; expected different names` {
		t.Errorf("%v", err)
	}
}

func TestOpen_Bad(t *testing.T) {
	const id = "; expected an id: an integer from 0 to 9223372036854775807 without leading zeros, or a name that starts with a letter"
	const pair = "; expected a source and a target parted by a tab, blanks or a comma"
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: ": no edges" + pair + " on each line"},
		{Name: "comments only", Content: "# x\n\n% y\n", Want: ": no edges" + pair + " on each line"},
		{Name: "one field", Content: "1 2\n3\n", Want: `:2: "3"` + pair},
		{Name: "one field first", Content: "# c\n3\n", Want: `:2: "3"` + pair},
		{Name: "missing column", Content: "1 2 0.5\n3 4\n", Want: ":2: 2 fields; expected 3, as on the first line"},
		{Name: "further column", Content: "1 2\n3 4 5\n", Want: ":2: 3 fields; expected 2, as on the first line"},
		{Name: "negative id", Content: "1 2\n\n3 -5\n", Want: `:3:3: id "-5"` + id},
		{Name: "overflowing id", Content: "99999999999999999999 1\n", Want: `:1:1: id "99999999999999999999"` + id},
		{Name: "first id too large", Content: "9223372036854775808 1\n", Want: `:1:1: id "9223372036854775808"` + id},
		{Name: "fractional id", Content: "1.5 2\n", Want: `:1:1: id "1.5"` + id},
		{Name: "leading zero", Content: "1 007\n", Want: `:1:3: id "007"` + id},
		{Name: "empty id", Content: "1,,2\n", Want: `:1:3: id ""` + id},
		{Name: "comma at the end", Content: "1,\n", Want: `:1:3: id ""` + id},
		{Name: "no text in an id", Content: "1 \xff\xfe\n", Want: ":1:3: id binary data" + id},
		{Name: "NaN weight", Content: "1 2 NaN\n", Want: `:1:5: "NaN"; expected a finite number`},
		{Name: "infinite weight", Content: "1 2 1\n1 2 -inf\n", Want: `:2:5: "-inf"; expected a finite number`},
		{Name: "overflowing weight", Content: "1 2 1e999\n", Want: `:1:5: "1e999"; expected a finite number`},
		{Name: "weight no number", Content: "1\t2\theavy\n", Want: `:1:5: "heavy"; expected a finite number`},
		{Name: "empty weight", Content: "1,2,\n", Want: `:1:5: ""; expected a finite number`},
		{Name: "column titles", Content: "from to\n1 2\n",
			Want: `:1: names "from" and "to" before lines of integers; expected an edge; put # before column titles`},
		{Name: "binary", Content: "1 2\n\x00\x01\x02\n", Want: ":2: binary data; expected text"},
	})
}

// The published counts (SNAP).
func TestOpen_PublishedGraphs(t *testing.T) {
	for _, c := range []struct {
		path            []string
		vertices, edges int
	}{
		{[]string{"wiki-Vote", "wiki-Vote.txt"}, 7115, 103689},
		{[]string{"facebook_combined", "facebook_combined.txt"}, 4039, 88234},
		{[]string{"soc-sign-bitcoin-otc", "edges.csv.gz"}, 5881, 35592},
	} {
		t.Run(c.path[0], func(t *testing.T) {
			g, _, err := reader.ReadFile(t, sourcetest.SharedData(t, c.path...), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			vertices := map[string]bool{}
			for _, e := range g.Edges {
				vertices[e.Src], vertices[e.Dst] = true, true
			}
			if len(vertices) != c.vertices || len(g.Edges) != c.edges {
				t.Errorf("%d vertices and %d edges, want %d and %d", len(vertices), len(g.Edges), c.vertices, c.edges)
			}
		})
	}
}

func TestOpen_BitcoinValues(t *testing.T) {
	g, _, err := reader.ReadFile(t, sourcetest.SharedData(t, "soc-sign-bitcoin-otc", "edges.csv.gz"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := sourcetest.Edge{Src: "610", Dst: "977", Values: []float64{1, 1307526243.273450}, Line: 1}
	if !equalEdges(g.Edges[0], want) {
		t.Errorf("got %v, want %v", g.Edges[0], want)
	}
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "gapbs-test/graphs/*", "# c\n1 2\n", "1,2,0.5\n", "a b\nc d\n", "a b\n1 2\n", "1\t2\r\n", "1 -2\n",
		"1 2 nan\n", "")
}
