package plan

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

var update = flag.Bool("update", false, "write testdata/plans.txt")

// weights are an edge column of whole numbers, which a device converts.
var weights = []store.Property{{Name: "w", Type: "int32"}, {Name: "f", Type: "float64"}}

// The catalogs of the golden plans: chunks of equal and of unequal sizes, one of each direction or one set for both.
var goldenGraphs = []struct {
	name string
	graph
}{
	{"even", graph{vertices: 1000, sizes: []int{64 << 10, 64 << 10, 64 << 10, 64 << 10, 64 << 10, 64 << 10, 64 << 10,
		64 << 10, 64 << 10, 64 << 10}}},
	{"skewed", graph{vertices: 640, directed: true, sizes: []int{9000, 300_000, 40_000, 120_064, 7}}},
	{"large", graph{vertices: 1 << 20, sizes: []int{8 << 20, 5 << 20, 6_543_211, 8 << 20}}},
}

var goldenPrograms = []struct {
	name    string
	program algorithms.Program
	weight  []string
}{
	{"sum", algorithms.Program{Reduce: algorithms.Sum, Order: algorithms.Synchronous}, nil},
	{"min", algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}, nil},
	{"min of w", algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}, []string{"w"}},
	{"min of f, both sides", algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Accumulative,
		Edges: algorithms.BothSides}, []string{"f"}},
}

var goldenDevices = []struct {
	name  string
	able  plugins.Plan
	count int
}{
	{"plain", plugins.Plan{}, 1},
	{"settles", plugins.Plan{Settles: true, ActiveRows: true}, 1},
	{"selects", plugins.Plan{Settles: true, ActiveRows: true, Selects: true}, 1},
	{"chain of 3", plugins.Plan{Settles: true, ActiveRows: true, Selects: true}, 3},
}

// goldenTerms are the terms of one of the golden plans, but for the budget.
func goldenTerms(t *testing.T, g graph, name string, program algorithms.Program, weight []string, able plugins.Plan,
	devices int) Terms {
	t.Helper()
	policy, err := schedule.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	program.State = []algorithms.State{{Name: "x"}}
	g.properties = weights
	c := Computation{Request: Request{Schedule: name, Program: &program}, Schedule: policy,
		Task:  plugins.Task{Program: &program},
		Edges: program.Edges, EdgeNames: weight, Columns: []algorithms.Column{{Name: "id", Type: algorithms.Int},
			{Name: "x", Type: algorithms.Float}}}
	_, occupied := Layouts(c.Columns, g.vertices, devices, 0)
	layout, _, err := c.Arena(g, occupied, policy.Needs.Grid, devices)
	if err != nil {
		t.Fatal(err)
	}
	able.Directions = Directions(g.Manifest())
	if !g.directed {
		able.Directions = plugins.Directions(algorithms.Forward, true, false)
	}
	d := &device{able: able, fixed: 1000 + 8*g.vertices}
	return Terms{Computation: c, Graph: g, Device: plugins.Description{Name: "cpu"}, Devices: devices, Machine: 40 << 20,
		Arena: layout, Occupied: occupied, Compile: d.compile, Longest: longestOf(1000),
		Uncut: "cpu does not have the extension intervals, by which state is cut"}
}

// describe is what a plan says and where it has its places, on one line.
func describe(p *Plan, err error) string {
	if err != nil {
		return err.Error()
	}
	n, f, s := p.Needs(), p.Fit, p.Streaming
	var b strings.Builder
	fmt.Fprintf(&b, "%s; disk %d send %d stay %d forward %d exchange %d host %d device %d of %d min %d all %d", n.Schedule,
		n.Disk, n.Transfer, n.Stays, n.Forwarded, n.Exchanged, n.Host, n.Device, n.Budget, n.Minimum, n.Resident)
	if !f.Resident {
		fmt.Fprintf(&b, "; slots %d*%d tiles %d*%d set %d placed %d", len(f.Slots), f.Capacity, len(f.Tiles), f.Tile, f.Set,
			f.Placed)
	}
	for _, slots := range [][]Slot{f.Slots, f.Tiles} {
		if len(slots) > 0 {
			fmt.Fprintf(&b, " %d…%d", slots[0], slots[len(slots)-1])
		}
	}
	b.WriteString("; ")
	for _, tag := range []struct {
		is   bool
		name string
	}{{f.Scarce, "scarce"}, {p.Task.Places, "places"}, {s.Degrees, "degrees"}, {s.Grid, "grid"}, {s.Queue, "queue"},
		{s.Files, "files"},
		{p.MayCut(), "cut"}, {p.Kernel.ActiveRows, "rows"}, {p.Settling, "settles"}} {
		if tag.is {
			b.WriteString(tag.name + " ")
		}
	}
	c := p.Chunks[1]
	fmt.Fprintf(&b, "%.30q; %d %d %d %d", p.Unsettled, c.Size, c.Device, c.At, c.Senders)
	return b.String()
}

// The plans of every schedule, program and kind of device on three catalogs, from budgets that are too little to those
// that hold everything, are what they were. go test -update writes them anew: read the differences.
func TestAgree_GoldenPlans(t *testing.T) {
	if os.Getpagesize() != 4096 {
		t.Skip("the golden plans are of a machine with pages of 4 KiB, on which places begin: run it on one")
	}
	var b strings.Builder
	for i, g := range goldenGraphs {
		for j, name := range schedule.Names() {
			for k, program := range goldenPrograms {
				d := goldenDevices[(i+j+k)%len(goldenDevices)] // over graphs and schedules, each program meets each device
				terms := goldenTerms(t, g.graph, name, program.program, program.weight, d.able, d.count)
				for _, share := range []uint64{1, 20, 45, 70, 130} {
					terms.Budget = 1000 + 8*g.vertices + GraphBytes(g.graph)*share/100
					fmt.Fprintf(&b, "%s, %s, %s, %s, %d%%: %s\n", g.name, name, program.name, d.name, share, describe(Agree(terms)))
				}
			}
		}
	}
	got := b.String()
	if *update {
		if err := os.WriteFile("testdata/plans.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/plans.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d is\n%s\nexpected\n%s", i+1, line, lines[min(i, len(lines)-1)])
		}
	}
	if len(lines) != strings.Count(got, "\n")+1 {
		t.Errorf("%d lines; expected %d", strings.Count(got, "\n")+1, len(lines))
	}
}

// What a refusal or a plan names as the least budget is that: with it there is a plan, with a byte less there is none.
// The same goes for the budget from which on all chunks stay.
func TestAgree_BudgetsAreTight(t *testing.T) {
	for _, g := range goldenGraphs {
		for _, name := range schedule.Names() {
			for _, program := range goldenPrograms[1:] {
				terms := goldenTerms(t, g.graph, name, program.program, program.weight,
					plugins.Plan{Settles: true, ActiveRows: true}, 1)
				terms.Budget = 1 << 40
				p, err := Agree(terms)
				if needs := terms.Computation.Schedule.Needs; err != nil || needs.Streams || needs.Settle == schedule.Required {
					continue // which never keep all, or need more than the least
				}
				least, resident := p.Fit.Minimum, p.Kernel.Fixed+p.Fit.All
				for budget, want := range map[uint64]string{least - 1: "refused", least: "streams", resident - 1: "streams",
					resident: ResidentSchedule} {
					terms.Budget = budget
					p, err := Agree(terms)
					got := "streams"
					switch {
					case err != nil:
						got = "refused"
					case p.Fit.Resident:
						got = ResidentSchedule
					}
					if got != want {
						t.Errorf("%s, %s, %s: a budget of %d, least %d, resident %d, is %s (%v); expected %s",
							g.name, name, program.name, budget, least, resident, got, err, want)
					}
				}
			}
		}
	}
}
