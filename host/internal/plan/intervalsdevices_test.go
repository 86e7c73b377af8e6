package plan

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// cellTerms are those of a program in intervals on so many devices.
func cellTerms(t *testing.T, rng *rand.Rand, g graph, devices int) (Terms, *cellDevice) {
	t.Helper()
	program := algorithms.Program{Reduce: algorithms.Min, Process: algorithms.Expr{Source: "src.x"}}
	terms := goldenTerms(t, g, "neugraph", program, nil, plugins.Plan{}, devices)
	terms.Computation.Task.Program.State[0].Init = algorithms.Expr{Source: "double(n)"}
	d := &cellDevice{each: 8 + rng.Uint64N(40), fixed: rng.Uint64N(5000)}
	terms.CompileCell = d.compile
	return terms, d
}

// Several devices have the grid of one, unless that has fewer columns than there are devices. Each has slots and a
// session of its own, which lie beside each other where there is room for them.
func TestWithIntervals_SeveralDevices(t *testing.T) {
	rng := testseed.Rand(t)
	for range 200 {
		g := graph{vertices: 1000 + rng.Uint64N(100_000), sizes: []int{40_000, 300_000}, directed: true}
		devices := 2 + rng.IntN(3)
		terms, d := cellTerms(t, rng, g, devices)
		terms.Budget = rng.Uint64N((d.each+9)*g.vertices) + 40_000
		p, err := terms.withIntervals(terms.Computation, &BudgetError{Need: 1 << 40})
		alone, _ := cellTerms(t, rng, g, 1)
		alone.CompileCell, alone.Budget = d.compile, terms.Budget
		one, errOne := alone.withIntervals(alone.Computation, &BudgetError{Need: 1 << 40})
		if (err == nil) != (errOne == nil) {
			t.Fatalf("%d devices: %v; one: %v", devices, err, errOne)
		}
		if err != nil {
			continue
		}
		if v := one.Intervals; v.Count >= devices && (p.Intervals.Count != v.Count || p.Fit.Capacity != one.Fit.Capacity ||
			p.Fit.Used != one.Fit.Used) || p.Intervals.Count < devices || p.Fit.Used > p.Budget {
			t.Fatalf("%d devices: %+v, %+v; one: %+v, %+v", devices, p.Intervals, p.Fit, v, one.Fit)
		}
		requireDisjoint(t, p, terms.Arena.Parts.End())
		end := terms.Arena.Columns
		for i, cell := range p.Intervals.Cells {
			for _, c := range cell.Columns {
				if c.Range.Offset < end {
					t.Fatalf("%+v begins before %d", c, end)
				}
				end = c.Range.End()
			}
			if end = cell.Active.End(); cell.Active.Offset < end-cell.Active.Length || end > terms.Arena.Parts.Offset {
				t.Fatalf("%+v ends behind %d", cell, terms.Arena.Parts.Offset)
			}
			for _, s := range p.Intervals.SlotsOf(i, p.Fit) {
				if s.At.Offset < terms.Arena.Parts.Offset || s.At.Length < p.Fit.Capacity {
					t.Fatalf("%+v is not behind %d", s, terms.Arena.Parts.Offset)
				}
			}
		}
		if n := p.Needs(); n.Device != p.Fit.Used || n.Exchanged > 0 || n.Forwarded > 0 ||
			n.Transfer != one.Needs().Transfer && p.Intervals.Count == one.Intervals.Count {
			t.Fatalf("%d devices need %+v; one %+v", devices, n, one.Needs())
		}
	}
}

// What the machine has beside files and programs is for all devices together.
func TestWithIntervals_DevicesLeaveMemoryToFiles(t *testing.T) {
	g := graph{vertices: 1 << 20, sizes: []int{4 << 20, 3 << 20}, directed: true}
	for devices := 1; devices < 4; devices++ {
		terms, d := cellTerms(t, testseed.Rand(t), g, devices)
		d.each, d.fixed = 24, 0
		_, scratch := terms.scratch(terms.Computation, false)
		terms.Budget, terms.Machine = 24<<20, programs+scratch+15<<20
		p, err := terms.withIntervals(terms.Computation, &BudgetError{Need: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		all := uint64(devices) * p.Fit.Used
		if want := uint64(15 << 20); all > want || all < want/8*7 {
			t.Errorf("%d devices use %d bytes together; expected %d", devices, all, want)
		}
	}
}
