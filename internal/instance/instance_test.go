package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// loaded is a database that holds graph g with these edge lines.
func loaded(t *testing.T, edges string) *DB {
	t.Helper()
	return loadedIn(t, edges, LoadOptions{})
}

func loadedIn(t *testing.T, edges string, options LoadOptions) *DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "edges.txt")
	if err := os.WriteFile(file, []byte(edges), 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := Open(filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(t.Context(), "g", []string{file}, options); err != nil {
		t.Fatal(err)
	}
	return db
}

func run(t *testing.T, db *DB, request host.Request) *Result {
	t.Helper()
	result, err := db.Run(t.Context(), "g", request, host.Events{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(result.Close)
	return result
}

// The n largest are those of a full sort, whatever the values.
func TestLargest_IsAPrefixOfSorting(t *testing.T) {
	rng := testseed.Rand(t)
	for range 200 {
		column := algorithms.NewValues(algorithms.Column{Type: algorithms.Float}, rng.IntN(50))
		for v := range column.Floats {
			column.Floats[v] = []float64{float64(rng.IntN(6)), math.Inf(1)}[rng.IntN(8)/7]
		}
		want := slices.DeleteFunc(sequence(column.Len()), func(v int) bool { return math.IsInf(column.Floats[v], 0) })
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(column.Floats[b], column.Floats[a]) })
		n := rng.IntN(12)
		if got := largest(column, nil, n); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("largest %d of %v: %v, want %v", n, column.Floats, got, want)
		}
	}
}

func sequence(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// What Write stores is what Run computed, under the users' ids, and it can be repeated.
func TestResult_Write(t *testing.T) {
	db := loaded(t, "a b\nb c\nx y\n")
	components := run(t, db, host.Request{Algorithm: "wcc"})
	if _, err := components.Write(t.Context(), "component"); err != nil {
		t.Fatal(err)
	}
	manifest, err := db.Graph("g")
	if err != nil {
		t.Fatal(err)
	}
	property, ok := manifest.NodeProperty("component")
	if !ok || property.Provenance == nil || property.Provenance.Algorithm != "wcc" ||
		len(property.Provenance.SHA256) != 64 {
		t.Errorf("property %+v, provenance %+v", property, property.Provenance)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := db.Export(t.Context(), "g", "csv", dir, nil); err != nil {
		t.Fatal(err)
	}
	nodes, err := os.ReadFile(filepath.Join(dir, "nodes.csv"))
	for _, row := range []string{"a,,a", "b,,a", "c,,a", "x,,x", "y,,x"} {
		if err != nil || !strings.Contains(string(nodes), row) {
			t.Errorf("no row %q in %s (%v)", row, nodes, err)
		}
	}
}

// The ranking, ties included, what is written to a file and the vertices that results name
// are the same in every order of storage.
func TestLoad_OrderDoesNotShow(t *testing.T) {
	edges := "b a\nc a\nd a\ne d\ny x\nz x\n"
	var want string
	for _, order := range []store.Order{store.OrderNone, store.OrderDegree, store.OrderBFS, store.OrderRabbit} {
		db := loadedIn(t, edges, LoadOptions{Order: order})
		got := ""
		for _, algorithm := range []string{"wcc", "pagerank"} {
			top, err := run(t, db, host.Request{Algorithm: algorithm}).Top(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, ranked := range top {
				got += fmt.Sprintf("%s %.9v\n", ranked.ID, ranked.Value)
			}
		}
		if order == store.OrderNone {
			want = got
		}
		if got != want {
			t.Errorf("order %s:\n%s\nnot\n%s", order, got, want)
		}
		if err := db.Verify(t.Context(), "g"); err != nil {
			t.Error(err)
		}
	}
}

// A result of a graph that has changed meanwhile is not written back.
func TestResult_Write_Conflict(t *testing.T) {
	db := loaded(t, "1 2\n2 3\n")
	first, second := run(t, db, host.Request{Algorithm: "pagerank"}), run(t, db, host.Request{Algorithm: "pagerank"})
	if _, err := first.Write(t.Context(), "rank"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Write(t.Context(), "rank"); !errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}

// Unreached vertices have no value in a file, and are not among the largest.
func TestResult_Unreached(t *testing.T) {
	db := loaded(t, "1 2\n3 4\n")
	depths := run(t, db, host.Request{Algorithm: "bfs", Params: map[string]string{"source": "1"}})
	top, err := depths.Top(t.Context(), 10)
	if err != nil || len(top) != 2 || top[0].ID != "2" {
		t.Errorf("top %v, %v", top, err)
	}
	file := filepath.Join(t.TempDir(), "depth.csv")
	if err := depths.WriteFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "id,depth\n1,0\n2,1\n3,\n4,\n" {
		t.Errorf("%s (%v)", text, err)
	}
}

// Results are refused for an ending that names no format.
func TestResult_WriteFile_UnknownEnding(t *testing.T) {
	db := loaded(t, "1 2\n")
	if err := run(t, db, host.Request{Algorithm: "wcc"}).WriteFile(t.Context(), "ranks.xls"); err == nil {
		t.Error("no error")
	}
}

func TestOpen_Missing(t *testing.T) {
	var missing *store.MissingError
	if _, err := OpenWith(filepath.Join(t.TempDir(), "none"), Options{MustExist: true}); !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
}

// A canceled load and a canceled run leave the database as it was.
func TestCanceled(t *testing.T) {
	db := loaded(t, "1 2\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	source, err := db.Source(context.Background(), "g")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if _, err := db.LoadSource(ctx, "h", source, LoadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v", err)
	}
	if _, err := db.Run(ctx, "g", host.Request{Algorithm: "pagerank"}, host.Events{}); !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
	if graphs, err := db.Graphs(); err != nil || len(graphs) != 1 {
		t.Errorf("%v, %v", graphs, err)
	}
	if err := db.Verify(t.Context(), "g"); err != nil {
		t.Error(err)
	}
}

// A column can be called weight when it is loaded.
func TestLoad_Weight(t *testing.T) {
	db := loaded(t, "1 2 5 0.5\n2 3 1 0.25\n")
	source, err := db.Source(context.Background(), "g")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if _, err := db.LoadSource(t.Context(), "h", source, LoadOptions{Weight: "column4"}); err == nil {
		t.Error("two columns called weight were accepted")
	}
	if _, err := formats.RenameEdgeColumn(source, "nope", "weight"); err == nil ||
		!strings.Contains(err.Error(), "column4") {
		t.Errorf("got %v, want the columns that there are", err)
	}
}

// A database keeps a device for the next run on a graph, unless it is told not to, and
// none once the graph is another or the database is closed.
func TestOpenWith_KeepWarm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "edges.txt")
	if err := os.WriteFile(file, []byte("1 2\n2 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []time.Duration{0, -1} {
		db, err := OpenWith(filepath.Join(t.TempDir(), "db"), Options{KeepWarm: keep})
		if err != nil {
			t.Fatal(err)
		}
		var pids []int
		events := host.Events{Launched: func(l host.Launch) { pids = append(pids, l.PID) }}
		for i := range 3 {
			if i != 1 { // before the first and the third run
				if _, err := db.Load(t.Context(), "g", []string{file}, LoadOptions{Replace: true}); err != nil {
					t.Fatal(err)
				}
			}
			result, err := db.Run(t.Context(), "g", host.Request{Algorithm: "wcc"}, events)
			if err != nil {
				t.Fatal(err)
			}
			result.Close()
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if warm := pids[0] == pids[1]; warm != (keep == 0) || pids[1] == pids[2] {
			t.Errorf("KeepWarm %d: processes %v", keep, pids)
		}
		for _, pid := range pids {
			if !processtest.Gone(pid) {
				t.Errorf("process %d outlived the database", pid)
			}
		}
	}
}
