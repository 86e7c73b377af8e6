package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// encode writes rows as other programs would, with the schema of their Go type.
func encode[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read writes each content to a file named file0.parquet, file1.parquet … and opens them.
func read(t testing.TB, contents ...[]byte) (*graphtest.Graph, error) {
	t.Helper()
	var paths []string
	dir := t.TempDir()
	for i, content := range contents {
		path := filepath.Join(dir, fmt.Sprintf("file%d.parquet", i))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	g, err := readPaths(t, paths)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	return g, err
}

func readPaths(t testing.TB, paths []string) (*graphtest.Graph, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	src, err := Open(context.Background(), paths, formats.Options{Allocator: mem, Memory: sourcetest.FuzzMemory})
	if err == nil {
		defer src.Close()
		var g *graphtest.Graph
		if g, err = graphtest.Collect(context.Background(), src); err == nil {
			return g, nil
		}
	}
	var parse *formats.ParseError
	if !errors.As(err, &parse) {
		t.Errorf("error %v of type %T", err, err)
	}
	return nil, err
}

func TestOpen_EdgesAlone(t *testing.T) {
	type edge struct {
		Source int32
		Target uint32
	}
	g, err := read(t, encode(t, []edge{{1, 2}, {2, math.MaxUint32}}))
	want := []graphtest.Edge{{Src: "1", Dst: "2"}, {Src: "2", Dst: "4294967295"}}
	if err != nil || g.NodesDeclared || !g.IntegerIDs || !reflect.DeepEqual(g.Edges, want) {
		t.Errorf("got %v, %v", g, err)
	}
}

func TestOpen_ColumnsOfOthers(t *testing.T) {
	type node struct {
		ID    string  `parquet:"~id"`
		Label string  `parquet:"~label"`
		Small int8    `parquet:"small"`
		Half  float32 `parquet:"half,optional"`
		Raw   []byte  `parquet:"raw"`
		Day   int32   `parquet:"day,date"`
		Milli int64   `parquet:"milli,timestamp(millisecond)"`
		Nano  int64   `parquet:"nano,timestamp(nanosecond:local)"`
		Bare  []int64 `parquet:"bare"`
		List  []int64 `parquet:"list,list"`
		Big   uint64  `parquet:"big"`
	}
	type edge struct {
		From   string `parquet:"FROM,dict"`
		To     string `parquet:"TO,dict"`
		Label  string `parquet:"label"`
		Source string `parquet:"source"`
	}
	nodes := []node{
		{"7", "A;B", -1, 0.5, []byte("x"), 1, 2, 3000, []int64{1, 2}, nil, math.MaxInt64},
		{"x", "", 1, 0, nil, -1, -2, -3000, nil, []int64{3}, 0},
	}
	g, err := read(t, encode(t, []edge{{"7", "x", "KNOWS", "book"}}, parquet.Compression(&parquet.Snappy)),
		encode(t, nodes))
	if err != nil {
		t.Fatal(err)
	}
	wantNodes := []graphtest.Node{
		{ID: "7", Labels: "A;B", Values: []any{int64(-1), 0.5, "x", arrow.Date32(1), arrow.Timestamp(2000),
			arrow.Timestamp(3), []any{int64(1), int64(2)}, []any{}, int64(math.MaxInt64)}},
		{ID: "x", Values: []any{int64(1), nil, "", arrow.Date32(-1), arrow.Timestamp(-2000), arrow.Timestamp(-3), []any{},
			[]any{int64(3)}, int64(0)}},
	}
	if !reflect.DeepEqual(g.Nodes, wantNodes) {
		t.Errorf("got  %#v\nwant %#v", g.Nodes, wantNodes)
	}
	if want := []graphtest.Edge{{Src: "7", Dst: "x", Type: "KNOWS", Values: []any{"book"}}}; !reflect.DeepEqual(g.Edges,
		want) {
		t.Errorf("got %#v", g.Edges)
	}
}

func TestOpen_LabelOfPath(t *testing.T) {
	type edge struct{ Src, Dst int64 }
	path := filepath.Join(t.TempDir(), "e.parquet")
	if err := os.WriteFile(path, encode(t, []edge{{1, 2}}), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := readPaths(t, []string{"KNOWS=" + path})
	if err != nil || g.Edges[0].Type != "KNOWS" {
		t.Errorf("got %v, %v", g, err)
	}
}

// TestOpen_RowGroups reads several row groups, each of more than one batch and many pages.
func TestOpen_RowGroups(t *testing.T) {
	type edge struct {
		Source, Target int64
		Tags           []string
	}
	rows := make([]edge, 3*formats.BatchRows)
	for i := range rows {
		rows[i] = edge{int64(i), int64(i) / 2, make([]string, i%3)}
	}
	g, err := read(t, encode(t, rows, parquet.MaxRowsPerRowGroup(formats.BatchRows+1000), parquet.PageBufferSize(4<<10)))
	if err != nil || len(g.Edges) != len(rows) {
		t.Fatal(err)
	}
	for i, e := range g.Edges {
		if e.Src != fmt.Sprint(i) || e.Dst != fmt.Sprint(i/2) || len(e.Values[0].([]any)) != i%3 {
			t.Fatalf("edge %d is %v", i, e)
		}
	}
}

func TestOpen_Bad(t *testing.T) {
	type plain struct{ A, B int64 }
	type signed struct{ Source, Target int64 }
	type weighted struct {
		Source, Target int64
		Weight         float64
	}
	type worded struct {
		Source, Target int64
		Weight         string
	}
	type optional struct {
		ID *string `parquet:"id,optional"`
	}
	type nested struct {
		ID    int64 `parquet:"id"`
		Where struct{ X, Y float64 }
	}
	type stamped struct {
		ID   int64 `parquet:"id"`
		When int64 `parquet:"when,timestamp(nanosecond)"`
	}
	type unsigned struct {
		ID uint64 `parquet:"id"`
	}
	type float struct {
		ID float64 `parquet:"id"`
	}
	name, empty := "a", ""
	intact := encode(t, []weighted{{1, 2, 3}})
	for _, c := range []struct {
		name     string
		contents [][]byte
		want     string
	}{
		{"neither", [][]byte{encode(
			t, []plain{{}})}, `file0.parquet: a table of neither nodes nor relationships; expected a column "id" for nodes, or "source" and "target" for relationships`},
		{"negative id", [][]byte{encode(t, []signed{{1, 2}, {3, -4}})},
			`file0.parquet:2: the id -4 in column "Target"; expected an integer from 0 to 9223372036854775807 or text`},
		{"NaN", [][]byte{encode(t, []weighted{{1, 2, 3}, {1, 2, math.NaN()}})},
			`file0.parquet:2: NaN in column "Weight"; expected a number`},
		{"no id", [][]byte{encode(t, []optional{{&name}, {}})},
			`file0.parquet:2: no id in column "id"; expected an integer from 0 to 9223372036854775807 or text`},
		{"empty id", [][]byte{encode(t, []optional{{&empty}})},
			`file0.parquet:1: an empty id in column "id"; expected an integer from 0 to 9223372036854775807 or text`},
		{"id of another type", [][]byte{encode(t, []float{{1}})},
			`file0.parquet:1: an id of type float64 in column "id"; expected an integer from 0 to 9223372036854775807 or text`},
		{"overflow", [][]byte{encode(t, []unsigned{{1 << 63}})},
			`file0.parquet:1: 9223372036854775808 in column "id"; expected an integer up to 9223372036854775807`},
		{"nanoseconds", [][]byte{encode(t, []stamped{{1, 1}})},
			`file0.parquet:1: 1 in column "when"; expected a time in whole microseconds, between the years -290000 and 290000`},
		{"structure", [][]byte{encode(t, []nested{{}})},
			`file0.parquet: column "Where" is a structure; expected numbers, booleans, strings, dates, times or lists of them: leave the column out`},
		{"types differ", [][]byte{intact, encode(t, []worded{{}})},
			`file1.parquet: property "Weight" of type utf8; expected float64, as at file0.parquet`},
		{"empty", [][]byte{nil}, "file0.parquet: no intact Parquet file; expected one: write or copy it again: "},
		{"truncated", [][]byte{intact[:len(
			intact)-9]}, "file0.parquet: no intact Parquet file; expected one: write or copy it again: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(t, c.contents...)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.HasSuffix(c.want, ": ") &&
				err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestOpen_FlippedBytes reads a file with each byte changed in turn: it may be another
// graph, but never a panic.
func TestOpen_FlippedBytes(t *testing.T) {
	content := sample(t)
	path := filepath.Join(t.TempDir(), "flipped.parquet")
	for i := range content {
		damaged := bytes.Clone(content)
		damaged[i] ^= 0x55
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		readPaths(t, []string{path})
	}
}

// sample is a small file of all kinds of columns.
func sample(t testing.TB) []byte {
	t.Helper()
	type node struct {
		ID   int64    `parquet:"id"`
		Name string   `parquet:"name,dict,optional,zstd"`
		Tags []string `parquet:"tags,list"`
		At   int64    `parquet:"at,timestamp(microsecond)"`
		On   bool     `parquet:"on"`
	}
	return encode(t, []node{{1, "a", []string{"x", "y"}, 5, true}, {2, "", nil, 6, false}})
}

func FuzzOpen(f *testing.F) {
	type edge struct{ Source, Target int64 }
	f.Add(sample(f))
	f.Add(encode(f, []edge{{1, 2}, {2, 3}}, parquet.Compression(&parquet.Snappy)))
	f.Add([]byte("PAR1PAR1"))
	path := filepath.Join(f.TempDir(), "fuzz.parquet")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		sourcetest.CheckAllocated(t, len(content), func() { readPaths(t, []string{path}) })
	})
}

func TestWriter_RefusesOtherTypes(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Uint8}}, nil)
	if _, err := NewWriter(&bytes.Buffer{}, schema); err == nil || !strings.Contains(err.Error(), `"x" has type uint8`) {
		t.Errorf("got %v", err)
	}
}

// TestWriter_RowGroups checks that a long table is cut, and keeps its order of columns.
func TestWriter_RowGroups(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "z", Type: arrow.PrimitiveTypes.Int64}, {Name: "a", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for i := range 1 << 16 {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).AppendNull()
	}
	record := b.NewRecord()
	defer record.Release()
	var out bytes.Buffer
	w, err := NewWriter(&out, schema)
	if err != nil {
		t.Fatal(err)
	}
	for range groupRows/record.NumRows() + 1 {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.RowGroups()) != 2 || f.NumRows() != groupRows+record.NumRows() || f.Root().Columns()[0].Name() != "z" {
		t.Errorf("%d row groups, %d rows, %s", len(f.RowGroups()), f.NumRows(), f.Schema())
	}
}
