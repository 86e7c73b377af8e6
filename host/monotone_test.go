package host

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Programs of one's own whose messages may come in any order go through a road map that does not fit as sssp does, in a
// wave; in step they take an iteration for each crossing on the way. So does one of which no part shows that it is a
// number: what is none is less than all others.
func TestRun_OwnProgramInAWave(t *testing.T) {
	t.Parallel()
	const side = 110
	rng := testseed.Rand(t)
	g := roadMap(rng, side, 0, false)
	snap := g.stored(t, 16<<10)
	programs := map[string]*algorithms.Custom{
		"tolls":  {Process: "src.cost + edge.weight + (dst.out_degree < 4 ? edge.toll : 1.0)", Reduce: "min", Init: "id == source ? 0.0 : inf"},
		"levels": {Process: "src.level + 1", Reduce: "min", Init: "id == source ? 0 : unreached"},
		"fuel":   {Process: "src.left - edge.weight", Reduce: "max", Init: "id == source ? 100.0 : -inf"},
		"slopes": {Process: "max(src.steepest, abs(edge.toll - double(dst.in_degree)))", Reduce: "min", Init: "id == source ? 0.0 : inf"},
	}
	for _, name := range long.Raced(t, slices.Sorted(maps.Keys(programs)), 2) {
		custom := programs[name]
		req := Request{Custom: custom, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
		within, _ := withRoom(t, snap, req, 0.25)
		got, want := mustRun(t, snap, within), mustRun(t, snap, req)
		if !same(got.Columns, want.Columns) {
			t.Errorf("%s: another result than that of a run in memory", name)
		}
		wave := got.Report.Kernel == nearestFirst && got.Report.Iterations <= 32
		if inStep := got.Report.Iterations > side/2; wave == (name == "slopes") || wave == inStep {
			t.Errorf("%s: %d iterations by %s", name, got.Report.Iterations, got.Report.Kernel)
		}
		if name != "tolls" {
			continue
		}
		within.Synchronous = true
		if step := mustRun(t, snap, within); !same(step.Columns, want.Columns) || step.Report.Iterations < side {
			t.Errorf("%s, in step: %d iterations, or another result", name, step.Report.Iterations)
		}
	}
}

// An edge that gains has a program go iteration by iteration: to the same values, or to the error that there are none.
func TestRun_OwnProgramThatGains(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g := roadMap(rng, 40, 0, true)
	snap := g.stored(t, 8<<10)
	custom := &algorithms.Custom{Process: "src.cost + edge.weight - 0.25", Reduce: "min", Init: "id == source ? 0.0 : inf"}
	req := Request{Custom: custom, Params: map[string]string{"source": g.users[0]}}
	within, _ := withRoom(t, snap, req, 0.25)
	for _, req := range []Request{req, within} {
		var diverged *algorithms.DivergedError
		if _, err := runWithin(snap, &req, Events{}); !errors.As(err, &diverged) || diverged.Meaning == "" {
			t.Errorf("a cycle that gains: %v", err)
		}
	}
	within.Params = map[string]string{"source": g.users[0], "iterations": "5"}
	if got := mustRun(t, snap, within).Report; got.Iterations != 5 {
		t.Errorf("%d iterations of 5", got.Iterations)
	}
}

// The parts of what an edge adds are looked at one by one, as it comes: where one is below 0 a run goes iteration by
// iteration, though no cycle gains.
func TestRun_OwnProgramThatMayGain(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g := roadMap(rng, 110, 0, false)
	snap := g.stored(t, 16<<10)
	custom := &algorithms.Custom{Process: "src.cost + (edge.weight - 0.25) + 1.0", Reduce: "min", Init: "id == source ? 0.0 : inf"}
	req := Request{Custom: custom, Params: map[string]string{"source": g.users[0]}}
	within, _ := withRoom(t, snap, req, 0.25)
	if got, want := mustRun(t, snap, within), mustRun(t, snap, req); !same(got.Columns, want.Columns) ||
		!strings.Contains(got.Report.Why, "with an edge that makes a value better, by 0.") {
		t.Errorf("another result, or %s", got.Report.Why)
	}
}
