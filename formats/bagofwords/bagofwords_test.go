package bagofwords

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

var reader = sourcetest.Reader(Open)

func TestOpen_RoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		documents, words := rapid.Int64Range(1, 9).Draw(rt, "documents"), rapid.Int64Range(1, 9).Draw(rt, "words")
		entries := rapid.IntRange(1, 20).Draw(rt, "entries")
		var text strings.Builder
		fmt.Fprintf(&text, "%d\n%d\n%d\n", documents, words, entries)
		var want []sourcetest.Edge
		for range entries {
			text.WriteString(rapid.SampledFrom([]string{"", "\n", " \r\n"}).Draw(rt, "between"))
			d, w := rapid.Int64Range(1, documents).Draw(rt, "document"), rapid.Int64Range(1, words).Draw(rt, "word")
			count := rapid.Int64Range(1, 1<<53).Draw(rt, "count")
			want = append(want, sourcetest.Edge{Src: strconv.FormatInt(d, 10), Dst: strconv.FormatInt(w, 10),
				Values: []float64{float64(count)}, Line: int64(strings.Count(text.String(), "\n")) + 1})
			fmt.Fprintf(&text, "%d %d %d%s", d, w, count, rapid.SampledFrom([]string{"\n", "\r\n", " \n"}).Draw(rt, "end"))
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

func TestOpen_Bad(t *testing.T) {
	const head = "2\n3\n2\n"
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: ": the end of the file; expected how many documents there are"},
		{Name: "no words", Content: "2\n", Want: ":1: the end of the file; expected how many words there are"},
		{Name: "header", Content: "2\nx\n", Want: `:2: "x"; expected how many words there are, an integer above 0`},
		{Name: "no documents", Content: "0\n3\n2\n", Want: `:1: "0"; expected how many documents there are, an integer above 0`},
		{Name: "too few", Content: head + "1 1 1\n", Want: ":4: the end after 1 entries; expected the 2 that line 3 announces"},
		{Name: "too many", Content: head + "1 1 1\n1 2 1\n1 3 1\n",
			Want: `:6: "1 3 1"; expected the end after 2 entries, as line 3 announces`},
		{Name: "document beyond", Content: head + "3 1 1\n", Want: `:4:1: document "3"; expected a document from 1 to 2`},
		{Name: "document 0", Content: head + "0 1 1\n", Want: `:4:1: document "0"; expected a document from 1 to 2`},
		{Name: "word beyond", Content: head + "1 4 1\n", Want: `:4:3: word "4"; expected a word from 1 to 3`},
		{Name: "negative count", Content: head + "1 1 -2\n",
			Want: `:4:5: count "-2"; expected a count from 1 to 9007199254740992`},
		{Name: "count 0", Content: head + "1 1 0\n", Want: `:4:5: count "0"; expected a count from 1 to 9007199254740992`},
		{Name: "count with a fraction", Content: head + "1 1 1.5\n",
			Want: `:4:5: count "1.5"; expected a count from 1 to 9007199254740992`},
		{Name: "no count", Content: head + "1 1\n",
			Want: `:4: "1 1"; expected a document, a word and how often it stands there, parted by blanks`},
		{Name: "a fourth", Content: head + "1 1 1 1\n", Want: `:4:7: "1" after the count; expected the end of the line`},
	})
}

// The published counts.
func TestOpen_Kos(t *testing.T) {
	path := sourcetest.SharedData(t, "uci-kos", "docword.kos.txt.gz")
	g, _, err := reader.ReadFile(t, path, formats.Options{})
	tokens := 0.0
	for _, e := range g.Edges {
		tokens += e.Values[0]
	}
	if err != nil || len(g.Edges) != 353160 || tokens != 467714 {
		t.Errorf("%d entries of %g words, %v", len(g.Edges), tokens, err)
	}
}

// vocabulary are the words that are read.
func vocabulary(t *testing.T, text string) (words []string, _ error) {
	t.Helper()
	docword := sourcetest.WriteFile(t, "docword", "1\n3\n1\n1 1 1\n")
	rows, err := Vocabulary(sourcetest.WriteFile(t, "vocab", text), docword, formats.Options{}).Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	column := array.NewStringBuilder(memory.DefaultAllocator)
	defer column.Release()
	for {
		if _, err := rows.Next(column); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	all := column.NewStringArray()
	defer all.Release()
	for i := range all.Len() {
		words = append(words, all.Value(i))
	}
	return words, nil
}

func TestVocabulary(t *testing.T) {
	words, err := vocabulary(t, "apple\npear tree\r\nplum")
	if err != nil || !slices.Equal(words, []string{"apple", "pear tree", "plum"}) {
		t.Errorf("%q, %v", words, err)
	}
	for text, want := range map[string]string{
		"apple\npear\n":       ":2: the end after 2 words; expected 3 words, as ",
		"a\nb\nc\nd\n":        ":4: another word; expected 3 words, as ",
		"a\n\xff\xfe\nplum\n": ":2: binary data; expected UTF-8 text",
	} {
		_, err := vocabulary(t, text)
		var parse *formats.ParseError
		if !errors.As(err, &parse) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{"2\n3\n1\n1 1 1\n": true, "2\r\n3\r\n1\r\n1 1 1\r\n": true, "2\n3\n1\n": false,
		"1 2 3\n": false, "": false, "2\nx\n1\n1 1 1\n": false, "2\n3\n1\n1 1\n": false} {
		if got := Sniff([]byte(text), ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "", "2\n3\n1\n1 1 1\n", "2\n3\n9\n1 1 1\n", "9223372036854775807\n1\n9223372036854775807\n1 1 1\n",
		"1\n1\n1\n1 1 -1\n", "")
}
