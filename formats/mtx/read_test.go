package mtx

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

// The two formats of one matrix are the same graph, for all symmetries: a dense
// square of small integers is the oracle.
func TestOpen_CoordinateIsArray(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		symmetry := rapid.SampledFrom([]string{"general", "symmetric", "skew-symmetric"}).Draw(rt, "symmetry")
		field := rapid.SampledFrom([]string{"integer", "real", "double"}).Draw(rt, "field")
		n := rapid.IntRange(0, 6).Draw(rt, "n")
		dense, sparse, entries := "", "", 0
		var want []string
		for col := 1; col <= n; col++ {
			for row := firstRow(symmetry, col); row <= n; row++ {
				x := rapid.IntRange(-2, 2).Draw(rt, "x")
				dense += fmt.Sprintf("%d\n", x)
				if x == 0 {
					continue
				}
				entries++
				sparse += fmt.Sprintf(" %d  %d\t%d\n", row, col, x)
				want = append(want, fmt.Sprint(row, col, x))
				if symmetry == "skew-symmetric" {
					want = append(want, fmt.Sprint(col, row, -x))
				}
			}
		}
		array := fmt.Sprintf("%%%%MatrixMarket matrix array %s %s\n%d %d\n%s", field, symmetry, n, n, dense)
		coordinate := fmt.Sprintf("%%%%matrixmarket MATRIX coordinate %s %s\n%% c\n%d %d %d\n\n%s", field, symmetry, n, n,
			entries, sparse)
		for _, text := range []string{array, coordinate} {
			if got := edgesOf(rt, t, text, n, symmetry); !slices.Equal(got, want) {
				rt.Fatalf("got %v, want %v of\n%s", got, want, text)
			}
		}
	})
}

func firstRow(symmetry string, col int) int {
	return map[string]int{"general": 1, "symmetric": col, "skew-symmetric": col + 1}[symmetry]
}

func edgesOf(rt *rapid.T, t *testing.T, text string, n int, symmetry string) []string {
	g, schema, err := reader.ReadText(t, text)
	if err != nil {
		rt.Fatalf("%v in\n%s", err, text)
	}
	if len(g.Nodes) != n || (schema.Orientation == formats.Undirected) != (symmetry == "symmetric") {
		rt.Fatalf("%d nodes, orientation %d of\n%s", len(g.Nodes), schema.Orientation, text)
	}
	var edges []string
	for _, e := range g.Edges {
		edges = append(edges, fmt.Sprint(e.Src, " ", e.Dst, " ", e.Values[0]))
	}
	return edges
}

func TestOpen_Pattern(t *testing.T) {
	g, schema, err := reader.ReadText(t, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n1 3\n2 2\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"2→1", "1→3", "2→2"}; !slices.Equal(g.Pairs(), want) || schema.Edge != nil {
		t.Errorf("got %v and columns %v, want %v", g.Pairs(), schema.Edge, want)
	}
	if !slices.Equal(g.Nodes, []string{"1", "2", "3"}) || g.Edges[1].Line != 4 {
		t.Errorf("nodes %v, edges %v", g.Nodes, g.Edges)
	}
}

func TestOpen_WithoutBanner(t *testing.T) {
	for text, want := range map[string]int{
		"% c\n2 2 1\n1 2 0.5\n": 1,
		"2 2\n0\n1\n.5\n0\n":    2,
	} {
		if g, _, err := reader.ReadText(t, text); err != nil || len(g.Edges) != want {
			t.Errorf("%q: %v, %v", text, g, err)
		}
	}
}

func TestOpen_ColumnName(t *testing.T) {
	path := sourcetest.WriteFile(
		t, "m.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n")
	_, schema, err := reader.ReadFile(t, path, formats.Options{Columns: []string{"km"}})
	if err != nil || schema.Edge.Field(0).Name != "km" || schema.Edge.Field(0).Type.Name() != "int64" {
		t.Errorf("%v, %v", schema.Edge, err)
	}
}

func TestOpen_Bad(t *testing.T) {
	const general, skew = "%%MatrixMarket matrix coordinate real general\n",
		"%%MatrixMarket matrix coordinate integer skew-symmetric\n"
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: ": the end of the file; expected a line with the number of rows, columns and entries"},
		{Name: "banner only", Content: general, Want: ":1: the end of the file; expected a line with the number of rows, columns and entries"},
		{Name: "short banner", Content: "%%MatrixMarket matrix coordinate real\n1 1 0\n",
			Want: `:1: "%%MatrixMarket matrix coordinate real"; expected %%MatrixMarket matrix, a format, a field and a symmetry`},
		{Name: "misspelled banner", Content: "%%MatrixMarkt matrix coordinate real general\n1 1 0\n",
			Want: `:1: "%%MatrixMarkt matrix coordinate real general"; expected %%MatrixMarket matrix, a format, a field and a symmetry`},
		{Name: "skew-symmetric pattern", Content: "%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
			Want: ":1: a skew-symmetric pattern, which has no sign; expected pattern with general or symmetric"},
		{Name: "negative size", Content: general + "-3 -3 1\n",
			Want: `:2:1: "-3"; expected the number of rows, columns and entries`},
		{Name: "size too large", Content: general + "1099511627777 1099511627777 1\n",
			Want: ":2: 1099511627777 rows; expected at most 1099511627776"},
		{Name: "entries too many to count", Content: general + "3 3 9223372036854775807\n",
			Want: ":2: 9223372036854775807 entries; expected at most 1152921504606846976"},
		{Name: "three numbers for an array", Content: "%%MatrixMarket matrix array real general\n1 1 1\n",
			Want: `:2: "1 1 1"; expected the number of rows and columns`},
		{Name: "too few entries", Content: general + "3 3 3\n1 1 3.0\n2 2 3.4\n",
			Want: ":4: the end after too few entries; expected the 3 that line 2 announces"},
		{Name: "too few values", Content: "%%MatrixMarket matrix array real general\n2 2\n1\n",
			Want: ":3: the end after too few entries; expected all values of the 2 rows that line 2 announces"},
		{Name: "too many entries", Content: general + "3 3 1\n1 1 3.0\n% c\n2 2 3.4\n",
			Want: `:5: "2 2 3.4"; expected the end: line 2 announces no more entries`},
		{Name: "word for a number", Content: general + "3 3 1\n1 zero pi\n",
			Want: `:3:3: column "zero"; expected a column from 1 to 3`},
		{Name: "word for a value", Content: general + "3 3 1\n2 2 forty-two\n",
			Want: `:3:5: value "forty-two"; expected a finite number`},
		{Name: "value missing", Content: general + "3 3 1\n1 1\n", Want: `:3:4: value ""; expected a finite number`},
		{Name: "column out of range", Content: general + "3 3 1\n3 9999 3.4\n",
			Want: `:3:3: column "9999"; expected a column from 1 to 3`},
		{Name: "row 0", Content: general + "3 3 1\n0 1 3.4\n", Want: `:3:1: row "0"; expected a row from 1 to 3`},
		{Name: "column missing", Content: general + "3 3 1\n1\n", Want: `:3:2: column ""; expected a column from 1 to 3`},
		{Name: "further field", Content: general + "3 3 1\n1 2 3.4 5\n",
			Want: `:3:9: "5" after the entry; expected the end of the line`},
		{Name: "NaN", Content: general + "3 3 1\n1 2 nan\n", Want: `:3:5: value "nan"; expected a finite number`},
		{Name: "fraction for an integer", Content: skew + "3 3 1\n2 1 0.5\n",
			Want: `:3:5: value "0.5"; expected an integer from -9223372036854775808 to 9223372036854775807`},
		{Name: "skew-symmetric diagonal", Content: skew + "3 3 1\n2 2 5\n",
			Want: ":3: row and column 2 in a skew-symmetric matrix; expected no entry on the diagonal, which is zero"},
		{Name: "no negative", Content: skew + "3 3 1\n2 1 -9223372036854775808\n",
			Want: `:3:5: value "-9223372036854775808"; expected an integer from -9223372036854775808 to 9223372036854775807`},
		{Name: "fraction for a type", Content: general + "%%GraphBLAS type int8_t\n3 3 1\n1 1 0.5\n",
			Want: `:4:5: value "0.5"; expected an integer from -128 to 127 (int8_t)`},
		{Name: "binary", Content: general + "3 3 1\n1 1 \x00\n", Want: ":3: binary data; expected text"},
	})
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "lagraph-data/*.mtx",
		"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n",
		"%%MatrixMarket matrix array integer skew-symmetric\n%%GraphBLAS type int8_t\n2 2\n3\n",
		strings.Repeat("%\n", 3)+"2 2\n1\n0\n0\n1\n")
}
