package result

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats"
)

// idsOf reads from a list of ids.
func idsOf(all ...string) ReadIDs {
	return func(_ context.Context, from, to uint64) (formats.IDs, error) {
		var ids formats.IDs
		for _, id := range all[from:to] {
			ids.Append(id)
		}
		return ids, nil
	}
}

func sample(ids ReadIDs) Table {
	return Table{Rows: 3, IDs: ids, Columns: []Column{
		{Name: "distance", Floats: []float64{0.1, math.Inf(1), 1e21}},
		{Name: "hops", Ints: []int64{0, math.MaxInt64, -5}, Null: func(row uint64) bool { return row == 1 }},
		{Name: "reached", Bools: []bool{true, false, true}},
		{Name: "parent", IDs: ids},
	}}
}

// writeFile writes the table to a file called name and returns its path.
func writeFile(t *testing.T, name string, tab Table) string {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	tab.Allocator = mem
	path := filepath.Join(t.TempDir(), name)
	if err := Write(context.Background(), path, tab); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("beside the file: %v", entries)
	}
	return path
}

// lists has rows of two values, of which one may lack.
func lists(ids ReadIDs) Table {
	lacks := func(value uint64) bool { return value == 3 }
	return Table{Rows: 2, IDs: ids, Columns: []Column{
		{Name: "vector", Each: 2, Floats: []float64{0.5, -1, 2, 3}},
		{Name: "near", Each: 2, Ints: []int64{7, 8, 9, math.MaxInt64}, Null: lacks},
		{Name: "path", Each: 2, IDs: idsOf("7", "b", "9", ""), Null: lacks},
	}}
}

// Lists in CSV are as the reader of vectors takes them; in Arrow and Parquet they are lists.
func TestWrite_Lists(t *testing.T) {
	tab := lists(idsOf("7", "a"))
	got, err := os.ReadFile(writeFile(t, "l.csv", tab))
	want := "id,vector,near,path\n7,\"0.5;-1\",\"7;8\",\"7;b\"\na,\"2;3\",9,9\n"
	if err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	for _, name := range []string{"l.arrow", "l.parquet"} {
		if info, err := os.Stat(writeFile(t, name, tab)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	tab.Columns[0].Floats = tab.Columns[0].Floats[:3]
	if err := Write(context.Background(), filepath.Join(t.TempDir(), "l.csv"), tab); err == nil {
		t.Error("a list that lacks a number was written")
	}
}

const want = "id,distance,hops,reached,parent\n7,0.1,0,true,7\n\"a,b\",inf,,false,\"a,b\"\n9,1e+21,-5,true,9\n"

func TestWrite_CSV(t *testing.T) {
	plain := func(r io.Reader) (io.Reader, error) { return r, nil }
	for name, open := range map[string]func(io.Reader) (io.Reader, error){
		"r.csv": plain, "R.CSV": plain,
		"r.csv.gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"r.csv.zst": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		file, err := os.Open(writeFile(t, name, sample(idsOf("7", "a,b", "9"))))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestWrite_Arrow(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	file, err := os.Open(writeFile(t, "r.arrow", sample(idsOf("7", "8", "9"))))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := ipc.NewFileReader(file, ipc.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	record, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := record.Column(0).(*array.Int64).Int64Values(); !slices.Equal(got, []int64{7, 8, 9}) {
		t.Errorf("ids %v", got)
	}
	if hops := record.Column(2); !hops.IsNull(1) || hops.IsNull(0) || !r.Schema().Field(2).Nullable ||
		r.Schema().Field(1).Nullable {
		t.Errorf("hops %v of %v", hops, r.Schema())
	}
	if got := record.Column(1).(*array.Float64).Float64Values(); !slices.Equal(got, []float64{0.1, math.Inf(1), 1e21}) {
		t.Errorf("distances %v", got)
	}
}

func TestWrite_Parquet(t *testing.T) {
	type row struct {
		ID       string  `parquet:"id"`
		Distance float64 `parquet:"distance"`
		Hops     *int64  `parquet:"hops,optional"`
		Reached  bool    `parquet:"reached"`
		Parent   string  `parquet:"parent"`
	}
	rows, err := pq.ReadFile[row](writeFile(t, "r.parquet", sample(idsOf("7", "x", "9"))))
	zero, five := int64(0), int64(-5)
	want := []row{{"7", 0.1, &zero, true, "7"}, {"x", math.Inf(1), nil, false, "x"}, {"9", 1e21, &five, true, "9"}}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("got %v, %v", rows, err)
	}
}

// TestWrite_Batches writes more rows than a batch has; the only string id is the last.
func TestWrite_Batches(t *testing.T) {
	const rows = formats.BatchRows + 3
	ids := make([]string, rows)
	values := make([]int64, rows)
	for i := range ids {
		ids[i], values[i] = fmt.Sprint(i), int64(i)
	}
	ids[rows-1] = "last"
	content, err := os.ReadFile(writeFile(t, "r.csv",
		Table{Rows: rows, IDs: idsOf(ids...), Columns: []Column{{Name: "value", Ints: values}}}))
	if err != nil || !strings.HasPrefix(string(content), "id,value\n0,0\n1,1\n") ||
		!strings.HasSuffix(string(content), fmt.Sprintf("\nlast,%d\n", rows-1)) {
		t.Errorf("%v: %d bytes", err, len(content))
	}
	if lines := strings.Count(string(content), "\n"); lines != rows+1 {
		t.Errorf("%d lines", lines)
	}
}

func TestWrite_Empty(t *testing.T) {
	for _, ending := range Endings() {
		path := writeFile(t, "r"+ending, Table{IDs: idsOf(), Columns: []Column{{Name: "value"}}})
		if ending == ".csv" {
			if content, _ := os.ReadFile(path); string(content) != "id,value\n" {
				t.Errorf("%q", content)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	err := Check("out.txt")
	var unknown *UnknownEndingError
	if !errors.As(
		err, &unknown) || err.Error() != "out.txt: cannot tell the format from the name; it must end in one of .arrow, .csv, .csv.gz, .csv.zst, .parquet" {
		t.Errorf("got %v", err)
	}
	if err := Check("out.csv.gz"); err != nil {
		t.Error(err)
	}
	if err := Write(context.Background(), "out.txt", Table{}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

func TestWrite_FailureKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	failing := sample(idsOf("1", "2", "3"))
	failing.Columns[3].IDs = func(context.Context, uint64, uint64) (formats.IDs, error) { return formats.IDs{}, broken }
	short := sample(idsOf("1", "2", "3"))
	short.Columns[0].Floats = short.Columns[0].Floats[:2]
	missing := sample(idsOf("1", "2", "3"))
	missing.Columns[0].Floats = nil
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		table Table
		want  string
	}{
		{context.Background(), failing, "broken"},
		{context.Background(), short, `result column "distance" has 2 values for 3 rows`},
		{context.Background(), missing, `result column "distance" has no values`},
		{canceled, sample(idsOf("1", "2", "3")), "context canceled"},
	} {
		if err := Write(c.ctx, path, c.table); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		content, _ := os.ReadFile(path)
		entries, _ := os.ReadDir(filepath.Dir(path))
		if string(content) != "old" || len(entries) != 1 {
			t.Errorf("%s: %q beside %v", c.want, content, entries)
		}
	}
}

func TestWrite_NoFolder(t *testing.T) {
	if err := Write(context.Background(), filepath.Join(t.TempDir(), "none", "r.csv"),
		Table{IDs: idsOf()}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
