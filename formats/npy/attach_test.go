package npy_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/formats/npy"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// file is an array as NumPy writes it.
func file(t testing.TB, name, descr, shape string, numbers ...any) string {
	t.Helper()
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	header += strings.Repeat(" ", 63-(len(header)+10)%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	b = append(b, header...)
	for _, x := range numbers {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, x); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// nodes loads a graph with vectors and lists its nodes, a line each.
func nodes(t testing.TB, graph string, vectors ...formats.Vectors) (string, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts := formats.Options{Allocator: mem}
	source, err := importer.Open(context.Background(), []string{graph}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if source, err = npy.Attach(source, vectors, opts); err != nil {
		return "", err
	}
	defer source.Close()
	var out strings.Builder
	err = source.Nodes(context.Background(), func(b *formats.NodeBatch) error {
		for row := range b.ID.Len() {
			fmt.Fprint(&out, b.ID.Text(row))
			for i, column := range b.Props.Columns() {
				fmt.Fprintf(&out, " %s=%s", b.Props.ColumnName(i), column.ValueStr(row))
			}
			fmt.Fprintln(&out)
		}
		return nil
	})
	return out.String(), err
}

func TestAttach(t *testing.T) {
	edges := sourcetest.WriteFile(t, "e.csv", "0,1\n1,2\n")
	named := sourcetest.WriteFile(t, "n.csv", ":ID,name\n7,seven\n5,five\n")
	for _, c := range []struct {
		name, graph string
		vectors     []formats.Vectors
		want        string
	}{
		{"edges alone", edges, []formats.Vectors{
			{Property: "x", File: file(t, "x.npy", "<f4", "3, 2", []float32{1, 2.5, 3, 4, 5, -6})},
			{Property: "y", File: file(t, "y.npy", "<i8", "3,", []int64{7, 8, -9})},
		}, "0 x=[1,2.5] y=7\n1 x=[3,4] y=8\n2 x=[5,-6] y=-9\n"},
		{"ids beside", edges, []formats.Vectors{
			{Property: "x", File: file(t, "x.npy", "|u1", "3, 1", []byte{1, 2, 3}), IDs: file(t, "i.npy", "<i4", "3,",
				[]int32{2, 0, 1})},
		}, "2 x=[1]\n0 x=[2]\n1 x=[3]\n"},
		{"nodes of a file", named, []formats.Vectors{
			{Property: "x", File: file(t, "x.npy", "<f8", "2, 2", []float64{1, 2, 3, math.Pi})},
			{Property: "half", File: file(t, "h.npy", "<f2", "2,", []uint16{0x3800, 0xc000}), IDs: file(t, "i.npy", "<u2", "2,",
				[]uint16{7, 5})},
		}, "7 name=seven x=[1,2] half=0.5\n5 name=five x=[3,3.141592653589793] half=-2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := nodes(t, c.graph, c.vectors...)
			if err != nil || got != c.want {
				t.Errorf("got\n%s, %v; want\n%s", got, err, c.want)
			}
		})
	}
}

// Wide rows come in batches of bounded size, each node once.
func TestAttach_WideRows(t *testing.T) {
	const count, width = 9, 1 << 18
	x := make([]float32, count*width)
	for i := range x {
		x[i] = float32(i / width)
	}
	path := file(t, "x.npy", "<f4", fmt.Sprintf("%d, %d", count, width), x)
	source, err := importer.Open(t.Context(), []string{sourcetest.WriteFile(t, "e.csv", "0,1\n")}, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if source, err = npy.Attach(source, []formats.Vectors{{Property: "x", File: path}}, formats.Options{}); err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	next := int64(0)
	err = source.Nodes(t.Context(), func(b *formats.NodeBatch) error {
		numbers := b.Props.Column(0).(*array.List).ListValues().(*array.Float64)
		if numbers.Len() > 1<<20 {
			t.Errorf("a batch of %d numbers", numbers.Len())
		}
		for _, id := range b.ID.Ints {
			if id != next || numbers.Value(int(id-b.ID.Ints[0])*width) != float64(id) {
				t.Errorf("node %d where %d comes", id, next)
			}
			next++
		}
		return nil
	})
	if err != nil || next != count {
		t.Errorf("%d nodes, %v", next, err)
	}
}

// What is wrong with a file is named, with its place.
func TestAttach_Wrong(t *testing.T) {
	edges := sourcetest.WriteFile(t, "e.csv", "0,1\n1,2\n")
	named := sourcetest.WriteFile(t, "n.csv", ":ID,x\n7,1\n5,2\n")
	two := file(t, "two.npy", "<f4", "2,", []float32{1, 2})
	short := file(t, "short.npy", "<f4", "3, 2", []float32{1, 2, 3})
	if err := os.Truncate(short, 10); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		graph   string
		vectors []formats.Vectors
	}{
		"no NumPy array":                       {edges, []formats.Vectors{{Property: "x", File: edges}}},
		"header that ends early":               {edges, []formats.Vectors{{Property: "x", File: short}}},
		`type "<c8"`:                           {edges, []formats.Vectors{{Property: "x", File: file(t, "c.npy", "<c8", "2,")}}},
		`type ">f4"`:                           {edges, []formats.Vectors{{Property: "x", File: file(t, "b.npy", ">f4", "2,")}}},
		"3 dimensions":                         {edges, []formats.Vectors{{Property: "x", File: file(t, "d.npy", "<f4", "2, 2, 2")}}},
		"rows of 0 numbers":                    {edges, []formats.Vectors{{Property: "x", File: file(t, "z.npy", "<f4", "2, 0")}}},
		"c.npy:2: the end of the file":         {edges, []formats.Vectors{{Property: "x", File: file(t, "c.npy", "<f4", "3,", []float32{1})}}},
		"more than the 1 rows":                 {edges, []formats.Vectors{{Property: "x", File: file(t, "m.npy", "<f4", "1,", []float32{1, 2})}}},
		"there are more nodes":                 {named, []formats.Vectors{{Property: "y", File: file(t, "f.npy", "<f4", "1,", []float32{1})}}},
		"row 3 of 3; expected the end":         {named, []formats.Vectors{{Property: "y", File: file(t, "f.npy", "<f4", "3,", []float32{1, 2, 3})}}},
		`property "x", which nodes have`:       {named, []formats.Vectors{{Property: "x", File: two}}},
		"3 rows; expected 2":                   {edges, []formats.Vectors{{Property: "x", File: two}, {Property: "y", File: file(t, "f.npy", "<f4", "3,")}}},
		"no list of integers":                  {edges, []formats.Vectors{{Property: "x", File: two, IDs: two}}},
		"1 ids; expected 2":                    {edges, []formats.Vectors{{Property: "x", File: two, IDs: file(t, "i.npy", "<i8", "1,", []int64{4})}}},
		"i.npy:2: the id 6; expected 5, as at": {named, []formats.Vectors{{Property: "y", File: two, IDs: file(t, "i.npy", "<i8", "2,", []int64{7, 6})}}},
	} {
		_, err := nodes(t, c.graph, c.vectors...)
		var parse *formats.ParseError
		if !errors.As(err, &parse) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
	}
}

// Whatever the bytes are, they are read or refused, and little memory is taken for them.
func FuzzAttach(f *testing.F) {
	for _, path := range []string{file(f, "x.npy", "<f4", "3, 2", []float32{1, 2.5, 3, 4, 5, -6}),
		file(f, "y.npy", "|b1", "1,", []byte{1})} {
		seed, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	graph := sourcetest.WriteFile(f, "e.csv", "0,1\n")
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "f.npy")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := nodes(t, graph, formats.Vectors{Property: "x", File: path})
		var parse *formats.ParseError
		if err != nil && !errors.As(err, &parse) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v", err)
		}
	})
}
