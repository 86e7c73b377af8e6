package npu_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// planFor compiles BFS over so many vertices, so many of which are linked.
func planFor(t *testing.T, device plugins.Device, vertices, linked, budget uint64) (plugins.Plan, error) {
	t.Helper()
	bfs, err := catalog.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	p, err := bfs.Program(algorithms.Args{Ints: map[string]int64{"source": 0}})
	if err == nil {
		err = algorithms.Check(p, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	var layout plugins.Layout
	end := uint64(0)
	next := func(bytes uint64) arena.Range {
		at := arena.Range{Offset: end, Length: bytes}
		end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
		return at
	}
	for _, c := range algorithms.VertexColumns(p) {
		layout.Columns = append(layout.Columns, plugins.VertexColumn{Column: c, Range: next(8 * vertices)})
	}
	layout.Active = next((vertices + 63) / 64 * 8)
	a, err := arena.Create(end)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	s, err := device.Open(t.Context(), plugins.Job{Arena: a, Budget: budget, Threads: 1,
		Graph: plugins.Graph{Vertices: vertices, Linked: linked, Edges: linked, Directed: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.Compile(t.Context(), plugins.Task{Program: p, Layout: layout})
}

// A matrix that does not fit is refused before there is any, and the error names the largest that fits.
func TestCompile_NamesTheLargestMatrix(t *testing.T) {
	device := open(t)
	const vertices, budget = 50_000, 64 << 20
	_, err := planFor(t, device, vertices, vertices, budget)
	if err == nil || plugins.KindOf(err) != plugins.KindBudget {
		t.Fatalf("%v; expected %q", err, plugins.KindBudget)
	}
	named := regexp.MustCompile(`the largest that fits has (\d+) vertices`).FindStringSubmatch(err.Error())
	if named == nil {
		t.Fatalf("%q names no size", err)
	}
	most, _ := strconv.ParseUint(named[1], 10, 64)
	for linked, fits := range map[uint64]bool{most: true, most + 64: false} {
		if _, err := planFor(t, device, vertices, linked, budget); (err == nil) != fits {
			t.Errorf("%d vertices: %v; the largest matrix was said to have %d", linked, err, most)
		}
	}
}

// Without a budget, memory is one.
func TestCompile_RefusesMoreThanThereIs(t *testing.T) {
	device := open(t)
	const vertices = 8 << 20
	if _, err := planFor(t, device, vertices, vertices, 0); err == nil || plugins.KindOf(err) != plugins.KindBudget {
		t.Errorf("a matrix of %d vertices: %v; expected %q", vertices, err, plugins.KindBudget)
	}
}

// What vertices without an edge take is their columns, and a few bytes.
func TestCompile_IsolatedVerticesTakeLittle(t *testing.T) {
	device := open(t)
	fixed := func(vertices, linked uint64) uint64 {
		plan, err := planFor(t, device, vertices, linked, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Fixed
	}
	const linked, isolated = 1000, 1_000_000
	few, many := fixed(linked, linked), fixed(linked+isolated, linked)
	if perVertex := float64(many-few) / isolated; perVertex > 32 {
		t.Errorf("a vertex without an edge takes %v bytes", perVertex)
	} else {
		t.Logf("%v bytes", perVertex)
	}
}
