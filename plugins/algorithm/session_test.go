package algorithm

import (
	"context"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// alone is a session with an algorithm on three vertices without edges, and its plan.
func alone(t *testing.T, a Algorithm) (plugins.Session, plugins.Plan) {
	t.Helper()
	a.Definition = algorithms.Definition{Name: "alone", Summary: "nothing", Edges: "forward",
		Result: []algorithms.ResultColumn{{Name: "nothing", Type: "int"}}}
	d, err := New(Plugin{Name: "some", Version: "1.0.0", Algorithms: []Algorithm{a}})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := arena.Create(1 << 12)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Close() })
	graph := plugins.Graph{Name: "g", Vertices: 3, Directed: true}
	s, err := d.Open(t.Context(), plugins.Job{Arena: memory, Graph: graph})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var layout plugins.Layout
	for i, name := range []string{"id", "out_degree", "in_degree", "nothing"} {
		layout.Columns = append(layout.Columns, plugins.VertexColumn{
			Column: algorithms.Column{Name: name, Type: algorithms.Int},
			Range:  arena.Range{Offset: uint64(64 * i), Length: 24}})
	}
	layout.Active = arena.Range{Offset: 512, Length: 8}
	plan, err := s.Compile(t.Context(), plugins.Task{Procedure: "alone", Layout: layout})
	if err != nil {
		t.Fatal(err)
	}
	return s, plan
}

// TestPlan_Memory: what an algorithm says that it allocates is part of its plan, which estimates tell and budgets
// bound.
func TestPlan_Memory(t *testing.T) {
	a := Algorithm{Compute: func(context.Context, *Graph, algorithms.Args, []algorithms.Values) error { return nil }}
	_, without := alone(t, a)
	a.Memory = func(g Size, _ algorithms.Args) uint64 { return 1000 * g.Vertices }
	if _, with := alone(t, a); with.Fixed != without.Fixed+3000 {
		t.Errorf("the plan takes %d bytes, and %d without them; expected 3000 more", with.Fixed, without.Fixed)
	}
}

// TestPlan_MemoryOverflows: what is more than can be added up is refused, by its number, and is no small need.
func TestPlan_MemoryOverflows(t *testing.T) {
	a := Algorithm{Memory: func(Size, algorithms.Args) uint64 { return ^uint64(0) }}
	a.Name = "absurd"
	r := run{algorithm: a, graph: new(Graph)}
	plan := plugins.Plan{Fixed: 1}
	err := r.addMemory(&plan)
	if plugins.KindOf(err) != plugins.KindInternal || plan.Fixed != 1 ||
		!strings.Contains(err.Error(), "algorithm absurd says that it allocates 18446744073709551615 bytes") {
		t.Errorf("%+v, %v", plan, err)
	}
}

// TestGraph_Progress: what an algorithm says of its progress the host is told.
func TestGraph_Progress(t *testing.T) {
	s, _ := alone(t, Algorithm{Compute: func(_ context.Context, g *Graph, _ algorithms.Args, _ []algorithms.Values) error {
		g.Progress(0.25)
		return nil
	}})
	commands := make(chan plugins.Command, 1)
	commands <- plugins.Command{Seq: 1, Op: plugins.Call}
	close(commands)
	told := false
	err := s.Execute(t.Context(), commands, func(e plugins.Event) { told = told || e.Fraction == 0.25 })
	if err != nil || !told {
		t.Errorf("told %v, %v", told, err)
	}
}
