package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// laneTerms are those of a program from 8 sources, whose device takes 1000 bytes a lane and has room for so many beside
// all chunks.
func laneTerms(t *testing.T, room uint64) (Terms, *[]int) {
	d := &device{}
	terms := terms(t, "auto", algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}, 0, d)
	terms.SourceIDs = []int64{0, 1, 2, 3, 4, 5, 6, 7}
	terms.Computation.Request.Sources = strings.Split("abcdefgh", "")
	terms.Budget = GraphBytes(terms.Graph) + 1000*room
	var asked []int
	terms.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
		lanes := max(1, len(task.Lanes))
		if len(asked) == 0 || asked[len(asked)-1] != lanes {
			asked = append(asked, lanes)
		}
		if want := 1 + max(0, lanes-1); len(layouts[0].Columns) != want {
			t.Errorf("%d columns in %d lanes", len(layouts[0].Columns), lanes)
		}
		d.fixed = uint64(1000 * lanes)
		return d.compile(task, layouts, budget)
	}
	return terms, &asked
}

// As many lanes are taken as have room beside all chunks, half as many each time; with less than two it is one source
// alone.
func TestAgree_Lanes(t *testing.T) {
	for room, want := range map[uint64]struct{ lanes, asked int }{8: {8, 1}, 7: {4, 2}, 4: {4, 2}, 3: {2, 3}, 2: {2, 3},
		1: {1, 4}} {
		terms, asked := laneTerms(t, room)
		p, err := Agree(terms)
		if err != nil {
			t.Fatal(err)
		}
		if got := max(1, len(p.Task.Lanes)); got != want.lanes || len(*asked) != want.asked || len(p.Sources) != want.lanes ||
			!p.Fit.Resident {
			t.Errorf("room for %d: %d lanes from %q, after %v", room, got, p.Sources, *asked)
		}
	}
}

// What a device cannot do in lanes it may do alone; what fails otherwise fails.
func TestAgree_LanesRefused(t *testing.T) {
	for kind, fails := range map[plugins.Kind]bool{plugins.KindUnsupported: false, plugins.KindInternal: true} {
		terms, _ := laneTerms(t, 8)
		compile := terms.Compile
		terms.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
			if len(task.Lanes) > 0 {
				return plugins.Plan{}, plugins.Errorf(kind, "no lanes")
			}
			return compile(task, layouts, budget)
		}
		p, err := Agree(terms)
		if (err != nil) != fails || fails && plugins.KindOf(err) != kind || !fails && len(p.Task.Lanes) != 0 {
			t.Errorf("kind %v: %v", kind, err)
		}
	}
}

// Other refusals of a device stay what they are; that of settling is the reason to go on without.
func TestAgree_DeviceFails(t *testing.T) {
	least := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}
	broken := terms(t, "auto", least, 1<<30, &device{})
	broken.Compile = func(plugins.Task, []plugins.Layout, uint64) (plugins.Plan, error) {
		return plugins.Plan{}, plugins.Errorf(plugins.KindInternal, "broken")
	}
	if _, err := Agree(broken); plugins.KindOf(err) != plugins.KindInternal {
		t.Errorf("error %v", err)
	}
	d := &device{able: plugins.Plan{ActiveRows: true}}
	never := terms(t, "subway", least, 7*64<<10, d)
	never.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
		if task.Settle {
			return plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "it cannot settle")
		}
		return d.compile(task, layouts, budget)
	}
	if p, err := Agree(never); err != nil || p.Settling || !strings.Contains(p.Unsettled, "it cannot settle") {
		t.Errorf("%+v, %v", p, err)
	}
	tight := terms(t, "neugraph", least, 7*64<<10, d) // active rows take more than there is: all rows go
	tight.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
		if task.ActiveRows && budget > 0 {
			return plugins.Plan{}, plugins.Errorf(plugins.KindBudget, "too much")
		}
		return d.compile(task, layouts, budget)
	}
	if p, err := Agree(tight); err != nil || p.Task.ActiveRows || p.Unsettled == "" {
		t.Errorf("%+v, %v", p, err)
	}
}

// A procedure has all chunks at once, or none; what it needs is all that there is.
func TestAgree_Procedure(t *testing.T) {
	terms := terms(t, "auto", algorithms.Program{}, 0, &device{})
	terms.Computation.Task = plugins.Task{Procedure: "scc"}
	all := GraphBytes(terms.Graph) + 1000
	terms.Budget = all - 1
	var over *BudgetError
	if _, err := Agree(terms); !errors.As(err, &over) || over.Need != all ||
		!strings.Contains(err.Error(), "the whole graph") || !strings.Contains(err.Error(), "or choose a device") {
		t.Errorf("error %v", err)
	}
	terms.Budget = all
	if p, err := Agree(terms); err != nil || !p.Fit.Resident {
		t.Errorf("%+v, %v", p, err)
	}
	terms.Computation.Schedule.Needs.Streams = true
	var refusal *ScheduleError
	if _, err := Agree(terms); !errors.As(err, &refusal) {
		t.Errorf("error %v", err)
	}
}

// Of two devices with a part of the edges each, only chunks count that the first has use for.
func TestFitParts(t *testing.T) {
	d := &device{}
	terms := terms(t, "auto", algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}, 0, d)
	kernel, err := d.compile(plugins.Task{}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	even := func(c Chunk) bool { return c.Info.Number%2 == 0 }
	least := 1000 + GraphBytes(terms.Graph)/2
	terms.Budget = least - 1
	var over *BudgetError
	if _, err := terms.FitParts(terms.Computation, kernel, even); !errors.As(err, &over) || over.Need != least ||
		!strings.Contains(over.What, "beside a core") {
		t.Errorf("error %v", err)
	}
	terms.Budget = least
	p, err := terms.FitParts(terms.Computation, kernel, even)
	if err != nil {
		t.Fatal(err)
	}
	requireDisjoint(t, p, terms.Arena.Columns)
	if !p.Fit.Resident || !p.Streaming.Files || p.Fit.Used != least || len(p.Chunks) != 10 || p.Chunks[9].At.Length == 0 {
		t.Errorf("%+v", p.Fit)
	}
	if _, err := terms.FitParts(terms.Computation, plugins.Plan{}, even); plugins.KindOf(err) != plugins.KindInternal {
		t.Errorf("a plan without chunks: %v", err)
	}
}

// What is refused says how much would do.
func TestTooSmall_Advice(t *testing.T) {
	program := plugins.Task{Program: &algorithms.Program{}}
	for _, c := range []struct {
		memory, all uint64
		want        string
	}{
		{0, 5000, "give --device-memory 5000B"}, {0, 5001,
			"give --device-memory 5000B, or 5001B to keep the whole graph on the device"},
		{5000, 5000, "give --device-memory 5000B"}, {4999, 9000,
			"choose a device with more memory: this is more than it has"},
	} {
		p := &Plan{Computation: Computation{Task: program}, Budget: 1000, Fit: Fit{Minimum: 5000, Together: c.all},
			Device: plugins.Description{Memory: c.memory}}
		if err := p.tooSmall(); err.Advice != c.want || err.Need != 5000 || err.Have != 1000 {
			t.Errorf("%+v", err)
		}
	}
}
