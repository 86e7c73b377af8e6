package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// drawnGraphs is how many graphs TestRun_AnswersInEveryBudget draws: PENSTOCK_GRAPHS says it, else it is one.
func drawnGraphs() int {
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_GRAPHS")); err == nil {
		return n
	}
	return 1
}

// sizes is how many sizes of graphs there are to draw from, each twice the one before.
func sizes() int {
	if long.Tests() {
		return 8
	}
	return 4
}

// budget is some of what an algorithm needs.
type budget struct {
	name  string
	bytes func(needs *Needs) uint64
}

// budgets are parts of the edges beside all of the state, and parts of the state.
var budgets = []budget{
	{"1/2 of the edges", func(n *Needs) uint64 { return n.Minimum + (n.Resident-n.Minimum)/2 }},
	{"1/4 of the edges", func(n *Needs) uint64 { return n.Minimum + (n.Resident-n.Minimum)/4 }},
	{"1/16 of the edges", func(n *Needs) uint64 { return n.Minimum + (n.Resident-n.Minimum)/16 }},
	{"1/2 of the state", func(n *Needs) uint64 { return n.State / 2 }},
	{"1/8 of the state", func(n *Needs) uint64 { return n.State / 8 }},
}

// Whatever the algorithm, the graph, the schedule and the budget: the answer is that of a run with everything on the
// device, or a refusal before the run that says why.
func TestRun_AnswersInEveryBudget(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	count := map[string]int{}
	for range drawnGraphs() {
		vertices := 50 << rng.IntN(sizes())
		for _, a := range catalog.All() {
			if !long.Tests() && rng.IntN(8) > 0 {
				continue
			}
			g, params := drawnFor(rng, a, vertices)
			checkBudgets(t, rng, g, a, params, count)
		}
	}
	t.Logf("%v", count)
}

// drawnFor draws a graph of one of several shapes that suits an algorithm: uniform, skewed, or of high diameter.
func drawnFor(rng *rand.Rand, a *algorithms.Algorithm, vertices int) (*sample, map[string]string) {
	if a.Procedure != nil {
		vertices = min(vertices, 400) // some take the product of vertices and edges
	}
	g := random(rng, vertices, vertices*(1+rng.IntN(8)), a.Acyclic || rng.IntN(2) == 0, false, a.Acyclic)
	shape := rng.IntN(3)
	for i := range g.edges {
		e := &g.edges[i]
		switch shape {
		case 1: // skewed
			e.Src = uint32(float64(e.Src) * rng.Float64() * rng.Float64())
		case 2: // of high diameter
			e.Dst = min(e.Src+1+uint32(rng.IntN(3)), uint32(vertices-1))
		}
		if a.Acyclic && e.Src > e.Dst {
			e.Src, e.Dst = e.Dst, e.Src
		}
		if a.Acyclic && e.Src == e.Dst {
			e.Src, e.Dst = 0, uint32(vertices-1)
		}
	}
	params := map[string]string{}
	for _, p := range a.Params {
		if given := g.argument(rng, p); given != "" {
			params[p.Name] = given
		}
	}
	oracletest.Together(rng, a, vertices, params)
	roughly(a, params)
	return g, params
}

func checkBudgets(t *testing.T, rng *rand.Rand, g *sample, a *algorithms.Algorithm, params map[string]string,
	count map[string]int) {
	t.Helper()
	snap := g.stored(t, 1<<10+rng.IntN(16<<10))
	req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(3)}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Run(context.Background(), snap, req, Events{})
	var diverged *algorithms.DivergedError
	if errors.As(err, &diverged) {
		count["more than a double can hold"]++
	} else if err != nil {
		t.Fatal(err)
	}
	for _, b := range budgets {
		req := randomRequest(rng, req, needs)
		if req.DeviceMemory = b.bytes(needs); req.DeviceMemory == 0 || req.DeviceMemory >= needs.Resident {
			continue
		}
		title := fmt.Sprintf("%s in %s, %d bytes, by %s, %d vertices, %d edges, directed %v", a.Name, b.name, req.DeviceMemory,
			req.Schedule, len(g.users), len(g.edges), g.directed)
		switch outcome, err := checkBudget(snap, g, a, req, want); {
		case err != nil:
			t.Errorf("%s: %v", title, err)
		default:
			count[b.name+" "+outcome]++
		}
	}
}

// checkBudget runs, and tells how near the answer is. A run that is refused for its budget is run with the budget that
// the refusal names. Without a result to compare with, the values overflow in every budget.
func checkBudget(snap *store.Snapshot, g *sample, a *algorithms.Algorithm, req Request, want *Result) (string, error) {
	got, err := Run(context.Background(), snap, req, Events{})
	var schedule *ScheduleError
	if errors.As(err, &schedule) {
		return "not for this schedule", nil
	}
	var over *BudgetError
	if errors.As(err, &over) && over.Need > req.DeviceMemory && !over.AtLeast {
		req.DeviceMemory = over.Need
		outcome, err := checkBudget(snap, g, a, req, want)
		return "refused, and then " + outcome, err
	}
	var diverged *algorithms.DivergedError
	if want == nil && errors.As(err, &diverged) {
		return "overflows as well", nil
	}
	if err != nil {
		return "", err
	}
	if want == nil {
		return "", errors.New("a result, where with everything on the device the values overflow")
	}
	args, err := a.Bind(req.Params, g.env())
	if err == nil {
		err = a.Verify(g.inMemory(), args, got.Columns)
	}
	switch {
	case err != nil:
		return "", err
	case got.Report.PeakDeviceBytes > req.DeviceMemory:
		return "", fmt.Errorf("a peak of %d", got.Report.PeakDeviceBytes)
	case want.Report.Converged && !got.Report.Converged: // katz may grow for ever, degree goes once over the edges
		return "", errors.New("it has not converged")
	case same(got.Columns, want.Columns):
		return "the same bits", nil
	case near(got.Columns, want.Columns):
		return "near", nil
	case a.Approximate:
		return "verified", nil
	}
	return "", errors.New("another result than with everything on the device")
}
