package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// cellDevice has sessions that take so much a vertex, and so much else.
type cellDevice struct {
	each, fixed uint64
	compiled    uint64 // vertices of the last session
}

func (d *cellDevice) compile(_ plugins.Task, _ []plugins.Layout, vertices, budget uint64) (plugins.Plan, error) {
	d.compiled = vertices
	p := plugins.Plan{Intervals: true, Restores: true, ActiveRows: true, Fixed: d.fixed + d.each*vertices,
		Directions: plugins.Directions(algorithms.Forward, false, true)}
	if p.Fixed > budget {
		return p, plugins.Errorf(plugins.KindBudget, "too much")
	}
	return p, nil
}

// There are no fewer intervals that fit, and the device has compiled a session of these last.
func TestWithIntervals_FewestThatFit(t *testing.T) {
	rng := testseed.Rand(t)
	found := 0
	for range 300 {
		g := graph{vertices: 129 + rng.Uint64N(100_000), sizes: []int{40_000, 300_000}, directed: true}
		program := algorithms.Program{Reduce: algorithms.Min, Process: algorithms.Expr{Source: "src.x"}}
		terms := goldenTerms(t, g, "neugraph", program, nil, plugins.Plan{}, 1)
		terms.Computation.Task.Program.State[0].Init = algorithms.Expr{Source: "double(n)"}
		d := &cellDevice{each: 8 + rng.Uint64N(40), fixed: rng.Uint64N(5000)}
		terms.CompileCell, terms.Budget = d.compile, rng.Uint64N((d.each+9)*g.vertices)+20_000
		over := &BudgetError{Need: 1}
		fits := func(count uint64) bool {
			n := 2 * Aligned(divideUp(g.vertices, count))
			return d.fixed+d.each*n+min(340_000+Aligned(3<<10), max(leastSlot, terms.Budget/slotShare)) <= terms.Budget
		}
		p, err := terms.withIntervals(terms.Computation, over)
		if err != nil {
			if fits(divideUp(g.vertices, 64)) && g.vertices > 256 {
				t.Fatalf("%d vertices, %d bytes: %v", g.vertices, terms.Budget, err)
			}
			continue
		}
		found++
		v := p.Intervals
		if d.compiled != p.Intervals.Session(g.vertices) || p.Fit.Used > terms.Budget ||
			uint64(v.Count-1)*v.Vertices >= g.vertices {
			t.Fatalf("%d vertices, %d bytes: %+v; compiled for %d vertices", g.vertices, terms.Budget, v, d.compiled)
		}
		fewer := uint64(v.Count) - 1
		if 2*Aligned(divideUp(g.vertices, fewer)) < g.vertices && fits(fewer) {
			t.Fatalf("%d vertices, %d bytes: %d intervals, though %d fit", g.vertices, terms.Budget, v.Count, fewer)
		}
	}
	if found < 100 {
		t.Errorf("%d plans", found)
	}
}

// What the machine's memory has no room for beside the programs and the scratch arena is not used; a third of what the
// programs leave is, and what the least intervals take.
func TestWithIntervals_LeavesMemoryToFiles(t *testing.T) {
	g := graph{vertices: 1 << 20, sizes: []int{4 << 20, 3 << 20}, directed: true}
	program := algorithms.Program{Reduce: algorithms.Min, Process: algorithms.Expr{Source: "src.x"}}
	terms := goldenTerms(t, g, "neugraph", program, nil, plugins.Plan{}, 1)
	terms.Computation.Task.Program.State[0].Init = algorithms.Expr{Source: "double(n)"}
	d := &cellDevice{each: 24}
	terms.CompileCell, terms.Budget = d.compile, 24<<20
	_, scratch := terms.scratch(terms.Computation, false)
	all := func(machine uint64) *Plan {
		terms.Machine = machine
		p, err := terms.withIntervals(terms.Computation, &BudgetError{Need: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const unknown = 0
	for _, c := range []struct{ machine, used uint64 }{
		{unknown, 24 << 20}, {programs / 2, 24 << 20}, {1 << 30, 24 << 20}, {programs + scratch + 15<<20, 15 << 20},
		{programs + scratch/2, scratch / 6}, {programs + 1000, 0},
	} {
		p := all(c.machine)
		want := max(c.used, p.Fit.Minimum)
		if p.Fit.Used > want || p.Fit.Used < want/8*7 || p.Intervals.Spared != 24<<20-want || p.Budget != 24<<20 ||
			strings.Contains(p.Why(), "left to the file") != (want < 24<<20) {
			t.Errorf("a machine of %d bytes: %d are used; expected %d; %+v: %s", c.machine, p.Fit.Used, want, p.Intervals, p.Why())
		}
	}
}

// What a program knows of all vertices is told to cells.
func TestForCells(t *testing.T) {
	a, err := catalog.Lookup("pagerank")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(nil, algorithms.Env{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	c, err := forCells(*program, 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		c.State[0].Init.Source: "1.0 / double(graph_size)",
		c.State[0].Apply.Source: "(1.0 - damping) / double(graph_size) + " +
			"damping * (acc + self.aggregate_dangling / double(graph_size))",
		c.State[2].Init.Source: "out_degree == 0 ? (1.0 / double(graph_size)) : 0.0",
		c.State[2].Apply.Source: "self.out_degree == 0 ? ((1.0 - damping) / double(graph_size) + damping * (acc + " +
			"self.aggregate_dangling / double(graph_size))) : 0.0",
	} {
		if text != want {
			t.Errorf("%q; expected %q", text, want)
		}
	}
	if len(c.Aggregates) > 0 || len(program.Aggregates) != 1 || c.Sums[0] != c.State[1].Name ||
		c.Terms[0] != c.State[2].Name {
		t.Errorf("%+v", c)
	}
}

// In 80 MiB the state of PageRank on RMAT 20 is more than the default budget. It is kept whole all the same, and chunks
// are sent as they are stored, where the memory has room beside the programs; else it is cut into intervals.
func TestAgree_RaisesTheDefaultBudget(t *testing.T) {
	const machine, chunks = 80 << 20, 64
	g := graph{vertices: 1 << 20, sizes: slices.Repeat([]int{2 << 20}, chunks), directed: true}
	one := algorithms.Expr{Source: "src.x"}
	always := algorithms.Program{Reduce: algorithms.Sum, Activity: algorithms.Always, Process: one}
	some := algorithms.Program{Reduce: algorithms.Min, Process: one}
	given := Budget(0, plugins.Description{}, machine)
	for _, c := range []struct {
		name      string
		program   algorithms.Program
		schedule  string
		state     uint64
		free      uint64 // 0: the budget was named
		raised    bool
		intervals bool
	}{
		{"the state does not fit", always, "auto", 42 << 20, machine, true, false},
		{"edges would crumble", always, "auto", given - leastSlot, machine, true, false},
		{"it fits", always, "auto", given - 4<<20, machine, false, false},
		{"a budget that was named", always, "auto", 42 << 20, 0, false, true},
		{"not so much is free", always, "auto", 42 << 20, 73 << 20, false, true},
		{"it would crumble then", always, "auto", 50<<20 - leastSlot, machine, false, true},
		{"lists are cut", some, "auto", 42 << 20, machine, false, true},
		{"not by what it costs", always, "neugraph", 42 << 20, machine, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			terms := goldenTerms(t, g, c.schedule, c.program, nil, plugins.Plan{}, 1)
			terms.Computation.Task.Program.State[0].Init = algorithms.Expr{Source: "double(n)"}
			terms.Compile = (&device{fixed: c.state, able: plugins.Plan{Directions: plugins.Directions(algorithms.Forward,
				false, true)}}).compile
			terms.CompileCell = (&cellDevice{each: 64}).compile
			terms.Budget, terms.Machine = given, machine
			if c.free > 0 {
				terms.Most = func() uint64 { return Most(machine, c.free) }
			}
			p, err := Agree(terms)
			if err != nil {
				t.Fatal(err)
			}
			if (p.Raised > 0) != c.raised || p.Budget != given+p.Raised || (p.Intervals != nil) != c.intervals ||
				strings.Contains(p.Why(), "above the default") != c.raised {
				t.Fatalf("a budget of %d, %d above %d; %+v; %s", p.Budget, p.Raised, given, p.Intervals, p.Why())
			}
			// Of the second case there is room beside the state and four slots.
			if stay := c.state < 30<<20; c.raised && stay != (p.Fit.Kept >= 5) {
				t.Errorf("a budget of %d: %d chunks stay on the device", p.Budget, p.Fit.Kept)
			}
			if c.raised && (p.Budget > Most(machine, c.free) || p.Fit.Capacity < p.Fit.Largest || !p.Fit.Scarce ||
				p.Needs().Transfer != chunks*2<<20) {
				t.Errorf("a budget of %d: %+v, %d bytes an iteration; %d chunks of 2 MiB", p.Budget, p.Fit, p.Needs().Transfer,
					chunks)
			}
		})
	}
}
