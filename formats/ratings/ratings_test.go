package ratings

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

// Whatever way ratings are written down, they come back.
func TestOpen_RoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(3, 4).Draw(rt, "width")
		id := rapid.OneOf(
			rapid.Map(rapid.Int64Min(0), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.StringMatching(`[A-Za-zé_][A-Za-z0-9_.-]{0,8}`),
		)
		var want []sourcetest.Edge
		var text strings.Builder
		for range rapid.IntRange(1, 30).Draw(rt, "ratings") {
			text.WriteString(rapid.SampledFrom([]string{"", "# comment\n", "% x y\n", "\n", " \t\r\n"}).Draw(rt, "between"))
			edge := sourcetest.Edge{Src: id.Draw(rt, "user"), Dst: id.Draw(rt, "item"),
				Values: []float64{rapid.Float64().Draw(rt, "rating")}}
			fields := []string{edge.Src, edge.Dst, strconv.FormatFloat(edge.Values[0], 'g', -1, 64)}
			if width == 4 {
				when := rapid.Int64Range(0, 1<<53).Draw(rt, "when")
				edge.Values = append(edge.Values, float64(when))
				fields = append(fields, strconv.FormatInt(when, 10))
			}
			edge.Line = int64(strings.Count(text.String(), "\n")) + 1
			want = append(want, edge)
			text.WriteString(strings.Join(fields, rapid.SampledFrom([]string{" ", "\t", ",", " , ", "::", " :: "}).Draw(rt,
				"separator")))
			text.WriteString(rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end"))
		}
		got, _, err := reader.ReadText(t, text.String())
		if err != nil {
			rt.Fatalf("%v in\n%s", err, text.String())
		}
		if !slices.EqualFunc(got.Edges, want, func(a, b sourcetest.Edge) bool {
			return a.Src == b.Src && a.Dst == b.Dst && a.Line == b.Line && slices.Equal(a.Values, b.Values)
		}) {
			rt.Fatalf("got %v\nwant %v", got.Edges, want)
		}
	})
}

// More ratings than a batch holds keep their order and lines.
func TestOpen_SeveralBatches(t *testing.T) {
	const ratings = 2*formats.BatchRows + 7
	var text strings.Builder
	for i := range ratings {
		fmt.Fprintf(&text, "%d::%d::%d\n", i, i+1, i%5)
	}
	g, _, err := reader.ReadText(t, text.String())
	if err != nil || len(g.Edges) != ratings {
		t.Fatalf("%d ratings, %v", len(g.Edges), err)
	}
	for i, e := range g.Edges {
		if e.Src != strconv.Itoa(i) || e.Dst != strconv.Itoa(i+1) || e.Values[0] != float64(i%5) || e.Line != int64(i+1) {
			t.Fatalf("rating %d is %v", i, e)
		}
	}
}

func TestOpen_Bad(t *testing.T) {
	const fields = "; expected a user, an item and a rating, parted by blanks, a tab, a comma or ::"
	const id = "; expected an id: an integer from 0 to 9223372036854775807 without leading zeros, or a name that starts with a letter"
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: ": no ratings" + fields + " on each line"},
		{Name: "two fields", Content: "# c\n1 2\n", Want: `:2: "1 2"` + fields},
		{Name: "five fields", Content: "1 2 3 4 5\n", Want: ":1: 5 fields" + fields + ", and when that was"},
		{Name: "NaN", Content: "1 2 3\n1 3 NaN\n", Want: `:2:5: rating "NaN"; expected a finite number`},
		{Name: "infinite", Content: "1::2::inf\n", Want: `:1:7: rating "inf"; expected a finite number`},
		{Name: "no number", Content: "1 2 good\n", Want: `:1:5: rating "good"; expected a finite number`},
		{Name: "empty rating", Content: "1::2::\n", Want: `:1:7: rating ""; expected a finite number`},
		{Name: "time before 1970", Content: "1 2 3 -4\n",
			Want: `:1:7: time "-4"; expected seconds since 1970, an integer`},
		{Name: "further column", Content: "1 2 3\n1 2 3 4\n", Want: ":2: 4 fields; expected 3, as on the first line"},
		{Name: "missing column", Content: "1::2::3::4\n1::2::3\n", Want: ":2: 3 fields; expected 4, as on the first line"},
		{Name: "negative user", Content: "1 2 3\n-1 2 3\n", Want: `:2:1: id "-1"` + id},
		{Name: "item with a leading zero", Content: "1::07::3\n", Want: `:1:4: id "07"` + id},
		{Name: "binary", Content: "1 2 3\n\x00\x01\n", Want: ":2: binary data; expected text"},
	})
}

// The published counts.
func TestOpen_LIBMF(t *testing.T) {
	for name, want := range map[string]int{"real_matrix.tr.txt": 5000, "real_matrix.te.txt": 794} {
		g, _, err := reader.ReadFile(t, sourcetest.SharedData(t, "libmf-demo", name), formats.Options{})
		if err != nil || len(g.Edges) != want {
			t.Errorf("%s: %d ratings, %v", name, len(g.Edges), err)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		text, path string
		want       bool
	}{
		{"1::1193::5::978300760\n", "ratings.dat", true}, {"1::2::3\r\n", "x", true}, {"1::2\n", "x", false},
		{"196\t242\t3\t881250949\n", "ml/u.data", true}, {"196\t242\t3\t881250949\n", "u1.test.gz", true},
		{"196\t242\t3\t881250949\n", "x.data", false}, {"1 2 3\n", "u.data", false}, {"a::b::1\n", "x", false}, {"", "x", false},
		{"1::Toy Story (1995)::Comedy\n", "movies.dat", false},
	} {
		if got := Sniff([]byte(c.text), c.path); got != c.want {
			t.Errorf("%s %q: %v", c.path, c.text, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "libmf-demo/*", "# c\n1 2 3.5\n", "1::2::3::4\n", "1,2,3\n", "a b 1\n", "1 2 nan\n", "1::2\n", "::::::\n", "")
}
