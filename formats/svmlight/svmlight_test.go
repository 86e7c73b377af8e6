package svmlight

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

// labelsIn are what Labels reads of a file.
func labelsIn(t *testing.T, path string) (values []float64, lines []int64) {
	t.Helper()
	rows, err := Labels(path, formats.Options{}).Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	column := array.NewFloat64Builder(memory.DefaultAllocator)
	defer column.Release()
	for {
		line, err := rows.Next(column)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	all := column.NewFloat64Array()
	defer all.Release()
	return slices.Clone(all.Float64Values()), lines
}

// Samples and their features come back, whatever stands between them; a sample without features counts.
func TestOpen_RoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		var want []sourcetest.Edge
		var labels []float64
		var lines []int64
		for sample := range rapid.IntRange(1, 20).Draw(rt, "samples") {
			text.WriteString(rapid.SampledFrom([]string{"", "# 1:2\n", "\n", " \r\n"}).Draw(rt, "between"))
			line := int64(strings.Count(text.String(), "\n")) + 1
			label := rapid.Float64().Draw(rt, "label")
			labels, lines = append(labels, label), append(lines, line)
			text.WriteString(strconv.FormatFloat(label, 'g', -1, 64))
			indices := rapid.SliceOfDistinct(rapid.Int64Min(1), rapid.ID[int64]).Draw(rt, "indices")
			slices.Sort(indices)
			for _, index := range indices {
				value := rapid.Float64().Draw(rt, "value")
				fmt.Fprintf(&text, "%s%d:%s", rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(rt, "blank"), index,
					strconv.FormatFloat(value, 'g', -1, 64))
				want = append(want, sourcetest.Edge{Src: strconv.Itoa(sample + 1), Dst: strconv.FormatInt(index, 10),
					Values: []float64{value}, Line: line})
			}
			text.WriteString(rapid.SampledFrom([]string{"\n", "\r\n", " # 9:9\n"}).Draw(rt, "end"))
		}
		path := sourcetest.WriteFile(t, "input", text.String())
		got, _, err := reader.ReadFile(t, path, formats.Options{})
		if err != nil {
			rt.Fatalf("%v in\n%s", err, text.String())
		}
		if !slices.EqualFunc(got.Edges, want, func(a, b sourcetest.Edge) bool {
			return a.Src == b.Src && a.Dst == b.Dst && a.Line == b.Line && slices.Equal(a.Values, b.Values)
		}) {
			rt.Fatalf("got %v\nwant %v\nof %q", got.Edges, want, text.String())
		}
		if gotLabels, gotLines := labelsIn(t, path); !slices.Equal(gotLabels, labels) || !slices.Equal(gotLines, lines) {
			rt.Fatalf("labels %v in %v, want %v in %v", gotLabels, gotLines, labels, lines)
		}
	})
}

func TestOpen_Bad(t *testing.T) {
	const index = "; expected an index from 1 to 9223372036854775807, a colon and a finite value"
	const label = "; expected a label that is one finite number"
	reader.RunBad(t, []sourcetest.Bad{
		{Name: "index 0", Content: "1 1:2\n1 0:1\n", Want: `:2:3: "0:1"` + index},
		{Name: "negative index", Content: "1 -3:1\n", Want: `:1:3: "-3:1"` + index},
		{Name: "descending", Content: "1 3:1 2:1\n", Want: ":1:7: index 2 after 3; expected indices in ascending order"},
		{Name: "the same twice", Content: "1 3:1 3:1\n", Want: ":1:7: index 3 after 3; expected indices in ascending order"},
		{Name: "NaN", Content: "1 3:nan\n", Want: `:1:3: "3:nan"` + index},
		{Name: "infinite", Content: "1 3:1e999\n", Want: `:1:3: "3:1e999"` + index},
		{Name: "no value", Content: "1 3:\n", Want: `:1:3: "3:"` + index},
		{Name: "no colon", Content: "1 3\n", Want: `:1:3: "3"` + index},
		{Name: "query", Content: "1 qid:3 1:2\n", Want: `:1:3: "qid:3"` + index},
		{Name: "label no number", Content: "good 1:1\n", Want: `:1:1: label "good"` + label},
		{Name: "label NaN", Content: "nan 1:1\n", Want: `:1:1: label "nan"` + label},
		{Name: "several labels", Content: "1,2 1:1\n", Want: `:1:1: label "1,2"` + label},
		{Name: "no label", Content: "1:1 2:1\n", Want: `:1:1: label "1:1"` + label},
		{Name: "binary", Content: "1 1:1\n\x00\n", Want: ":2: binary data; expected text"},
	})
}

// The published counts.
func TestOpen_A9a(t *testing.T) {
	path := sourcetest.SharedData(t, "libsvm-a9a", "a9a")
	g, _, err := reader.ReadFile(t, path, formats.Options{})
	if err != nil || len(g.Edges) != 451592 {
		t.Errorf("%d features of samples, %v", len(g.Edges), err)
	}
	labels, _ := labelsIn(t, path)
	positive := 0
	for _, x := range labels {
		if x == 1 {
			positive++
		}
	}
	if len(labels) != 32561 || positive != 7841 {
		t.Errorf("%d samples, %d of them positive", len(labels), positive)
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{"-1 3:1 11:1\n": true, "# c\n\n+1 1:0.5 # x\n": true, "1 0:1\n": false,
		"1 2 3\n": false, "1\n": false, "": false, "a 1:1\n": false, "1:1 2:1\n": false, "1 x:1": false} {
		if got := Sniff([]byte(text), ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	reader.Fuzz(f, "", "-1 3:1 11:0.5\n+1 4:1 # c\n", "1\n", "1 0:1\n", "1 2:1 1:1\n", "nan 1:1\n", "1 1:nan\n", "")
}
