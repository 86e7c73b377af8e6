package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// Settled in topological order, values that edges make better are those of the oracle, whatever parts settle in turn,
// and where cycles are in the way; without one each edge is looked at once.
func TestSettle_TopologicalOrder(t *testing.T) {
	inOrder := 0
	random := testseed.Rand(t)
	for round := range 20 {
		for kind, g := range testseed.Sorted(mazes(random)) {
			name := []string{"max-cost", "min-reliability", "sssp", "max-reliability"}[random.IntN(4)]
			if kind == "no cycle" {
				name = []string{"max-cost", "sssp"}[round%2] // some in one part, see below
			}
			title := fmt.Sprintf("%s, %s, round %d", name, kind, round)
			negative := kind == "no cycle" || kind == "few cycles" || kind == "ups and downs"
			if len(g.Out.Neighbors) == 0 || strings.HasSuffix(name, "reliability") && negative {
				continue
			}
			a, p, args := pathProgram(t, g, name, g.IDs[random.IntN(g.N())])
			want, err := a.Oracle(g, args)
			if err != nil {
				continue // a cycle gains
			}
			p.Diverged = ""
			r := newRig(t, g, 1<<20)
			if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(r.plan.Kernel, "topological order") {
				t.Fatalf("%s: by %s", title, r.plan.Kernel)
			}
			parts := 1 + round%3
			if err := r.settled(parts, []uint32{0}, once()); err != nil {
				t.Fatalf("%s: %v", title, err)
			}
			identical(t, r.states(p)[:1], want)
			edges := uint64(0)
			for _, e := range r.events {
				edges += e.Edges
			}
			if kind == "no cycle" && parts == 1 {
				if inOrder++; edges > uint64(len(g.Out.Neighbors)) {
					t.Errorf("%s: %d edges looked at, of %d", title, edges, len(g.Out.Neighbors))
				}
			}
		}
	}
	if inOrder == 0 {
		t.Error("no graph without a cycle was drawn")
	}
}

// Edges that gain are refused as long as cycles may be reached, and factors that turn the order of values round always.
func TestSettle_RefusesWeights(t *testing.T) {
	for _, c := range []struct {
		name    string
		weight  float64
		cyclic  bool // may be
		refused bool
	}{
		{"sssp", -1, true, true},
		{"sssp", -1, false, false},
		{"max-reliability", 2, true, true},
		{"max-reliability", 2, false, false},
		{"max-reliability", -1, false, true},
		{"min-reliability", -1, false, true},
		{"min-reliability", 0.5, false, false},
	} {
		edge := algorithms.Edge{Src: 0, Dst: 1, Weights: map[string]float64{"weight": c.weight}}
		g := algorithms.NewGraph(true, []int64{0, 1}, []algorithms.Edge{edge})
		_, p, _ := pathProgram(t, g, c.name, 0)
		if !c.cyclic {
			p.Diverged = ""
		}
		r := newRig(t, g, 1<<20)
		if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		err := r.settled(1, []uint32{0}, once())
		if refused := plugins.KindOf(err) == plugins.KindUnsupported; refused != c.refused || err != nil && !refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Parts settled in topological order add up the numbers of paths that the oracle counts, each edge looked at once,
// whether or not lists stay that have been sent before. Where cycles may be reached a program is refused, and so is a
// set that has one.
func TestSettle_SumsInTopologicalOrder(t *testing.T) {
	random := testseed.Rand(t)
	for range 20 {
		g := mazes(random)["no cycle"] // whose edges lead to larger numbers
		source := random.IntN(g.N())
		a, p, args := pathProgram(t, g, "num-paths", g.IDs[source])
		want, err := a.Oracle(g, args)
		if err != nil {
			t.Fatal(err)
		}
		err = newRig(t, g, 1<<20).compileAs(p, plugins.Task{Settle: true})
		if plugins.KindOf(err) != plugins.KindUnsupported {
			t.Fatalf("cycles may be reached: %v", err)
		}
		p.Diverged = ""
		r := newRig(t, g, 1<<20)
		if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil || r.plan.Kernel != "topological order" {
			t.Fatalf("by %s, %v", r.plan.Kernel, err)
		}
		if err := r.settled(1+random.IntN(3), []uint32{0}, once()); err != nil {
			t.Fatal(err)
		}
		identical(t, r.states(p)[:1], want)
		edges := uint64(0)
		for _, e := range r.events {
			edges += e.Edges
		}
		if edges > uint64(len(g.Out.Neighbors)) {
			t.Errorf("%d edges looked at, of %d", edges, len(g.Out.Neighbors))
		}
	}
	loop := algorithms.NewGraph(true, []int64{0, 1}, []algorithms.Edge{{Src: 0, Dst: 1}, {Src: 1, Dst: 0}})
	_, p, _ := pathProgram(t, loop, "num-paths", 0)
	p.Diverged = ""
	r := newRig(t, loop, 1<<20)
	if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
		t.Fatal(err)
	}
	if err := r.settled(1, []uint32{0}, once()); plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("a set with a cycle: %v", err)
	}
}
