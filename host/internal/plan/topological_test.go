package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// topologicalTerms are those of a program that settles where there is no cycle, on a directed graph.
func topologicalTerms(t *testing.T) (Terms, *device) {
	terms, d := nearestTerms(t)
	terms.Graph = graph{vertices: 1000, sizes: terms.Graph.(graph).sizes, directed: true}
	terms.Computation.Task.Program.Diverged = "cycles gain"
	d.able.Directions = []chunk.Direction{chunk.Out}
	terms.AtHand = func(*Plan) (Unordered, error) { return Unordered{}, nil }
	compile := terms.Compile
	terms.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
		if task.Settle && task.Program.Diverged != "" {
			return plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "it would not be noticed that %s", task.Program.Diverged)
		}
		return compile(task, layouts, budget)
	}
	return terms, d
}

// A program that the device does not settle elsewhere goes in topological order; the run knows what it means if it does
// not converge.
func TestAgree_TopologicalOrder(t *testing.T) {
	terms, _ := topologicalTerms(t)
	p, err := Agree(terms)
	if err != nil || !p.Topological || !p.Settling || p.Nearest || p.Task.Program.Diverged != "cycles gain" ||
		len(p.Fit.Slots) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	if terms.Computation.Task.Program.Diverged == "" {
		t.Error("the request was changed")
	}
}

// So does one that settles elsewhere, once the device has refused an edge: that is said.
func TestAgree_TopologicalOrderAfterARefusal(t *testing.T) {
	terms, d := topologicalTerms(t)
	terms.Compile = d.compile
	if p, err := Agree(terms); err != nil || p.Topological || !p.Nearest {
		t.Fatalf("at first: %+v, %v", p, err)
	}
	terms.Unsettled = "an edge gains"
	p, err := Agree(terms)
	if err != nil || !p.Topological || p.Task.Program.Diverged != "cycles gain" ||
		!strings.HasSuffix(p.Why(), "and settle; in no other order: an edge gains") {
		t.Fatalf("%+v, %v", p, err)
	}
	terms.Device.LinkBandwidth = 1
	if p, err := Agree(terms); err != nil || p.Topological {
		t.Errorf("behind a link: topological %t, %v", p.Topological, err)
	}
}

// So does one that sums up what comes until nothing changes.
func TestAgree_SumsInTopologicalOrder(t *testing.T) {
	terms, _ := topologicalTerms(t)
	sum := terms.Computation.Task.Program
	sum.Order, sum.Reduce, sum.Activity = algorithms.Synchronous, algorithms.Sum, algorithms.Always
	p, err := Agree(terms)
	if err != nil || !p.Topological || !p.Settling || p.Task.Program.Diverged != "cycles gain" || len(p.Fit.Slots) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	for name, change := range map[string]func(){
		"a number of iterations": func() { sum.MaxIterations = 9 },
		"and exactly":            func() { sum.Exactly = true },
		"only some send":         func() { sum.Activity = algorithms.Changed },
		"products":               func() { sum.Reduce = algorithms.Prod },
	} {
		before := *sum
		change()
		if p, err := Agree(terms); err != nil || p.Topological || p.Unsorted.Cause != Ordered {
			t.Errorf("%s: topological %t, %v", name, p.Topological, err)
		}
		*sum = before
	}
}

// A plan says what is in the way of a topological order.
func TestAgree_SaysWhyNotTopological(t *testing.T) {
	for want, change := range map[Unordered]func(*Terms, *device){
		{Cause: EdgesAreCycles}: func(t *Terms, d *device) {
			t.Graph = graph{vertices: 1000, sizes: t.Graph.(graph).sizes}
			d.able.Directions = []chunk.Direction{chunk.Both}
		},
		{Cause: NeverSettles}: func(_ *Terms, d *device) { d.able.ActiveRows = false },
		{Cause: NotLooked}:    func(t *Terms, _ *device) { t.AtHand = nil },
		{Cause: StateKept}:    func(t *Terms, _ *device) { t.Devices, t.Computation.Task.Restorable = 2, true },
		{LongList, 9, 7}: func(t *Terms, _ *device) {
			t.AtHand = func(*Plan) (Unordered, error) { return Unordered{LongList, 9, 7}, nil }
		},
	} {
		terms, d := topologicalTerms(t)
		change(&terms, d)
		p, err := Agree(terms)
		if err != nil || p.Topological || p.Unsorted != want ||
			!strings.HasSuffix(p.Why(), "; not in topological order: "+want.String()) {
			t.Errorf("%+v, %v: %s; expected %s", p.Unsorted, err, p.Why(), want)
		}
	}
}

// What is in the way of a topological order has a run go iteration by iteration.
func TestAgree_NoTopologicalOrder(t *testing.T) {
	for name, change := range map[string]func(*Terms, *device){
		"an earlier attempt": func(t *Terms, _ *device) { t.Unsettled, t.Sorted = "x", true },
		"in step":            func(t *Terms, _ *device) { t.Computation.Request.Synchronous = true },
		"another schedule":   func(t *Terms, _ *device) { t.Computation.Schedule.Needs.Nearest = false },
		"every edge is a cycle": func(t *Terms, d *device) {
			t.Graph = graph{vertices: 1000, sizes: t.Graph.(graph).sizes}
			d.able.Directions = []chunk.Direction{chunk.Both}
		},
		"rows do not send":        func(_ *Terms, d *device) { d.able.ActiveRows = false },
		"lists are not looked at": func(t *Terms, _ *device) { t.AtHand = nil },
		"a list fits no slot": func(t *Terms, _ *device) {
			t.AtHand = func(*Plan) (Unordered, error) { return Unordered{LongList, 9, 7}, nil }
		},
		"what comes in an iteration is needed together": func(t *Terms, _ *device) {
			t.Computation.Task.Program.Order = algorithms.Synchronous
		},
	} {
		terms, d := topologicalTerms(t)
		change(&terms, d)
		if p, err := Agree(terms); err != nil || p.Topological || p.Settling {
			t.Errorf("%s: topological %t, %v", name, p.Topological, err)
		}
	}
	failed := errors.New("broken")
	terms, _ := topologicalTerms(t)
	terms.AtHand = func(*Plan) (Unordered, error) { return Unordered{}, failed }
	if _, err := Agree(terms); !errors.Is(err, failed) {
		t.Error(err)
	}
}
