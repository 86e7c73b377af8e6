package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// graph is one that is only described: chunks of these sizes, each of 100 rows.
type graph struct {
	vertices         uint64
	sizes            []int
	directed         bool
	properties       []store.Property // of the edges
	vertexProperties []store.Property
}

func (g graph) Manifest() *store.Manifest {
	return &store.Manifest{Graph: "g", Vertices: g.vertices, Directed: g.directed, EdgeProperties: g.properties,
		NodeProperties: g.vertexProperties}
}

func (g graph) Chunks(d chunk.Direction) (all []store.ChunkInfo) {
	for i, size := range g.sizes {
		all = append(all, store.ChunkInfo{Direction: d, Number: uint32(i), Bytes: int64(size), Edges: uint64(size / 4),
			Rows: chunk.Interval{Base: uint64(100 * i), Count: 100}, Cols: chunk.Interval{Count: g.vertices}})
	}
	return all
}

func (g graph) ChunkSize(info store.ChunkInfo, _ []string) (int, error) { return int(info.Bytes), nil }

// requireTooSmall sees that the budget which a refusal names is the least in which the longest list has room.
func requireTooSmall(t *testing.T, p *Plan, err error, longest LongestList) {
	t.Helper()
	var why *unsettled
	least := Aligned(p.Sizes().ListsCost(len(p.Kernel.Directions), int(longest.Edges)) + p.Fit.Headers)
	need := least + p.Fit.tileOf(least)
	if len(p.Kernel.Directions) == 1 {
		need = min(need, p.Fit.Largest+p.Fit.tileOf(p.Fit.Largest))
	}
	need += p.Kernel.Fixed + p.setBytes()
	want := fmt.Sprintf("all %d edges of vertex hub must be on the device at once, which takes a budget of %d bytes",
		longest.Edges, need)
	if !errors.As(err, &why) || why.reason != want || need <= p.Budget {
		t.Fatalf("a budget of %d: error %v; expected %s", p.Budget, err, want)
	}
}

// Slots, tiles and the set of senders lie beside each other and within what there is.
func TestPlaceQueue_KeepsToTheBudget(t *testing.T) {
	rng := testseed.Rand(t)
	for range 500 {
		p := &Plan{Graph: graph{vertices: 300}, Settling: true, Budget: 1 + rng.Uint64N(1<<24),
			Chunks: make([]Chunk, 1+rng.IntN(40))}
		p.Fit.Largest = Aligned(1 + rng.Uint64N(1<<20))
		fixed := rng.Uint64N(p.Budget)
		p.Kernel.Fixed, p.Fit.Used, p.Fit.All = fixed, fixed, uint64(len(p.Chunks))*p.Fit.Largest
		p.Kernel.Directions = []chunk.Direction{chunk.Out, chunk.In}[:1+rng.IntN(2)]
		longest := LongestList{"hub", 1 + rng.Uint64N(p.Fit.Largest/4)}
		room := SlotBytes(p.Fit.Largest) + wholePages(p.setBytes())
		columns := uint64(len(p.Chunks)+maxSlots) * room
		terms := Terms{Arena: Arena{Columns: columns}, Longest: longestOf(longest.Edges)}
		if p.Budget-fixed < p.setBytes()+min(p.Fit.Largest, leastSlot) {
			continue // refused before
		}
		err := p.placeQueue(terms)
		f := p.Fit
		if err != nil {
			requireTooSmall(t, p, err, longest)
			continue
		}
		if f.Used > p.Budget || uint64(len(f.Slots)) > f.mostUnits(p.Chunks) || len(f.Tiles) > TilesOfChunk {
			t.Fatalf("budget %d, of which %d are taken: %+v", p.Budget, fixed, f)
		}
		if len(f.Slots) == 0 || len(f.Tiles) == 0 || f.Cut == (len(p.Kernel.Directions) == 1 && f.Capacity == f.Largest) ||
			f.UnitRoom() < p.Sizes().ListsCost(len(p.Kernel.Directions), int(longest.Edges)) && f.Cut {
			t.Fatalf("an engine has no room, or the longest list of %d: %+v", longest.Edges, f)
		}
		places := []arena.Range{f.Set}
		for _, s := range slices.Concat(f.Slots, f.Tiles) {
			places = append(places, s.At)
		}
		slices.SortFunc(places, func(a, b arena.Range) int { return int(int64(a.Offset) - int64(b.Offset)) })
		end := uint64(0)
		for _, at := range places {
			if at.Offset < end || at.Offset%arena.Align != 0 {
				t.Fatalf("%+v begins before %d", at, end)
			}
			end = at.End()
		}
		if end > columns {
			t.Fatalf("the last place ends at %d of %d", end, columns)
		}
	}
}

// Chunks that stay, slots and sets of senders lie beside each other, also where chunks are far smaller than the pages
// that their places begin with, and slots take what the budget leaves.
func TestPin_BesideTheSlots(t *testing.T) {
	rng := testseed.Rand(t)
	sum := algorithms.Program{Reduce: algorithms.Sum, Order: algorithms.Accumulative}
	kept := 0
	for range 500 {
		sizes := make([]int, 1+rng.IntN(40))
		for i := range sizes {
			sizes[i] = 1 + rng.IntN(8<<10)
		}
		const more = 1 << 18
		terms := termsOf(t, "auto", sum, 1000+more+leastSlot+rng.Uint64N(1<<17), sizes, &device{more: more,
			able: plugins.Plan{Settles: true, ActiveRows: true}})
		terms.Computation.EdgeNames, terms.Computation.Task.Program.EdgeColumns = []string{"weight"}, []string{"weight"}
		p, err := Agree(terms)
		if err != nil {
			t.Fatal(err)
		}
		if p.Fit.Resident {
			continue
		}
		if p.Settling {
			kept += p.Fit.Kept
		}
		var places []arena.Range
		for _, c := range p.Chunks[:p.Fit.Kept] {
			places = append(places, c.At)
		}
		for _, s := range p.Fit.Slots {
			places = append(places, s.At, s.Set)
		}
		slices.SortFunc(places, func(a, b arena.Range) int { return int(int64(a.Offset) - int64(b.Offset)) })
		end := uint64(0)
		for _, at := range places {
			if at.Offset < end {
				t.Fatalf("%+v begins before %d", at, end)
			}
			end = at.End()
		}
		if end > terms.Arena.Columns {
			t.Fatalf("the last place ends at %d of %d", end, terms.Arena.Columns)
		}
	}
	if kept == 0 {
		t.Error("nothing stays where parts settle: nothing is tested")
	}
}

// No flag makes a device larger.
func TestTooSmall_DeviceHasNotSoMuch(t *testing.T) {
	p := &Plan{Budget: 1000, Fit: Fit{Minimum: 5000, Together: 9000}, Device: plugins.Description{Memory: 1000}}
	if err := p.tooSmall().Error(); strings.Contains(err, "--device-memory") {
		t.Error(err)
	}
}

// What a device refuses that cannot say more still needs more than it was given.
func TestRefused_NeedsMoreThanTheBudget(t *testing.T) {
	err := Computation{}.Refused(1000, plugins.Errorf(plugins.KindBudget, "no"))
	if err.Need <= err.Have || !err.AtLeast {
		t.Errorf("error %v", err)
	}
}

// device answers every task as it can; it remembers what it was asked.
type device struct {
	able  plugins.Plan // Settles, Passes and ActiveRows are what it can do
	fixed uint64
	more  uint64 // what a task takes beside that which does not settle
	asked []plugins.Task
}

func (d *device) compile(task plugins.Task, _ []plugins.Layout, budget uint64) (plugins.Plan, error) {
	d.asked = append(d.asked, task)
	p := d.able
	if p.Fixed = d.fixed; !task.Settle {
		p.Fixed += d.more
	}
	if budget > 0 && budget < p.Fixed {
		return plugins.Plan{}, plugins.Errorf(plugins.KindBudget, "no room")
	}
	p.ActiveRows, p.Settles = d.able.ActiveRows && task.ActiveRows, d.able.Settles && task.Settle
	p.Nearest = d.able.Nearest && task.Nearest
	if p.Passes = d.able.Passes && task.Passes; p.Passes {
		p.ActiveRows = true
		p.Fixed += (budget - min(budget, d.fixed+64<<10)) / 2 // lists that it holds
	}
	return p, nil
}

// Where the state of a run in step does not fit, parts settle if theirs does, before it is cut into intervals.
func TestAgree_SettlesWithLessState(t *testing.T) {
	able := plugins.Plan{Settles: true, ActiveRows: true, Parts: true, Restores: true}
	d := &device{able: able, fixed: 1000, more: 600_000}
	program := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Accumulative}
	terms := terms(t, "auto", program, 400_000, d)
	terms.CompileCell = func(plugins.Task, []plugins.Layout, uint64, uint64) (plugins.Plan, error) {
		t.Error("the state is cut into intervals")
		return plugins.Plan{}, plugins.Errorf(plugins.KindBudget, "no room")
	}
	if p, err := Agree(terms); err != nil || !p.Settling || p.Fit.Used > 400_000 || !d.asked[len(d.asked)-1].Settle {
		t.Errorf("%+v, %v", p, err)
	}
}

// terms are those of a program on 10 chunks of 64 KiB, whose device takes 1000 bytes beside them.
func terms(t *testing.T, name string, program algorithms.Program, budget uint64, d *device) Terms {
	t.Helper()
	return termsOf(t, name, program, budget, slices.Repeat([]int{64 << 10}, 10), d)
}

// termsOf are those of a program on chunks of these sizes.
func termsOf(t *testing.T, name string, program algorithms.Program, budget uint64, sizes []int, d *device) Terms {
	t.Helper()
	policy, err := schedule.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	g := graph{vertices: 1000, sizes: sizes}
	program.State = []algorithms.State{{Name: "x"}}
	c := Computation{Request: Request{Schedule: name, Program: &program}, Schedule: policy,
		Task:    plugins.Task{Program: &program},
		Columns: []algorithms.Column{{Name: "x", Type: algorithms.Float}}}
	layout, _, err := c.Arena(g, 1<<16, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.fixed == 0 {
		d.fixed = 1000
	}
	d.able.Directions = []chunk.Direction{chunk.Both}
	return Terms{Computation: c, Graph: g, Device: plugins.Description{Name: "cpu"}, Devices: 1, Budget: budget,
		Arena: layout, Occupied: 1 << 16, Compile: d.compile, Longest: longestOf(100)}
}

// longestOf answers with a list of so many edges.
func longestOf(edges uint64) func([]chunk.Direction) (LongestList, error) {
	return func([]chunk.Direction) (LongestList, error) { return LongestList{"hub", edges}, nil }
}

// What a plan is follows from what a schedule needs, what the program allows and what the device can do.
func TestAgree_Decides(t *testing.T) {
	const all, half, little = 11 * 64 << 10, 7 * 64 << 10, 30_000
	able := plugins.Plan{Settles: true, ActiveRows: true}
	least := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}
	sum := algorithms.Program{Reduce: algorithms.Sum, Order: algorithms.Synchronous}
	for _, c := range []struct {
		name, schedule                               string
		program                                      algorithms.Program
		able                                         plugins.Plan
		budget                                       uint64
		resident, settles, activeRows, queue, pinned bool
		why                                          string
	}{
		{name: "all fits", schedule: "auto", program: least, able: able, budget: all, resident: true, why: "all chunks fit"},
		{name: "whole never stays", schedule: "whole", program: least, able: able, budget: all, why: "as the schedule says"},
		{name: "auto goes by levels without weights", schedule: "auto", program: least, able: able, budget: half,
			activeRows: true, pinned: true, why: "go by levels"},
		{name: "auto takes sums whole", schedule: "auto", program: sum, able: able, budget: half, pinned: true,
			why: "every message of an iteration"},
		{name: "subway cuts sums", schedule: "subway", program: sum, able: able, budget: half, activeRows: true,
			why: "every message of an iteration"},
		{name: "subway settles", schedule: "subway", program: least, able: able, budget: half, settles: true,
			activeRows: true, why: "local convergence"},
		{name: "a device that cannot settle", schedule: "subway", program: least, able: plugins.Plan{ActiveRows: true},
			budget: half, activeRows: true, why: "device cpu does not do it"},
		{name: "no room to settle", schedule: "subway", program: least, able: able, budget: little, activeRows: true,
			why: "the largest chunk does not fit"},
		{name: "neugraph never settles", schedule: "neugraph", program: least, able: able, budget: half, activeRows: true,
			why: "before the next begins"},
		{name: "scaph has a queue", schedule: "scaph", program: least, able: able, budget: half, settles: true,
			activeRows: true, queue: true, why: "local convergence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &device{able: c.able}
			p, err := Agree(terms(t, c.schedule, c.program, c.budget, d))
			if err != nil {
				t.Fatal(err)
			}
			if p.Fit.Resident != c.resident || p.Settling != c.settles || p.Kernel.ActiveRows != c.activeRows ||
				p.Streaming.Queue != c.queue || p.Fit.Kept > 0 != c.pinned {
				t.Errorf("resident %v, settles %v, kernel %+v, %+v, %d pinned", p.Fit.Resident, p.Settling, p.Kernel, p.Streaming,
					p.Fit.Kept)
			}
			if !strings.Contains(p.Why(), c.why) {
				t.Errorf("because %q; expected %q", p.Why(), c.why)
			}
			if last := d.asked[len(d.asked)-1]; last.Settle != p.Task.Settle || last.ActiveRows != p.Task.ActiveRows {
				t.Errorf("the device has compiled %+v last", last)
			}
			if p.Fit.Used > p.Budget {
				t.Errorf("it takes %d of %d bytes", p.Fit.Used, p.Budget)
			}
		})
	}
}

// What can only settle is refused where that is not possible, with the reason; so is a budget that no chunk fits beside
// the state.
func TestAgree_Refuses(t *testing.T) {
	least := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}
	var refusal *ScheduleError
	if _, err := Agree(terms(t, "scaph", least, 5*64<<10, &device{able: plugins.Plan{ActiveRows: true}})); !errors.As(err,
		&refusal) {
		t.Errorf("error %v", err)
	}
	var over *BudgetError
	if _, err := Agree(terms(t, "auto", least, 1500, &device{})); !errors.As(err, &over) || over.Err != nil {
		t.Errorf("error %v", err)
	}
	if _, err := Agree(terms(t, "auto", least, 900, &device{})); !errors.As(err, &over) || over.Need != 1000+leastSlot ||
		plugins.KindOf(over.Err) != plugins.KindBudget {
		t.Errorf("error %v", err)
	}
}
