package host

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// inPasses are the procedures that the cpu device computes in passes.
var inPasses = []string{"k-core", "triangles", "lcc", "cdlp", "scc", "betweenness"}

// With room for half, a quarter and a sixteenth of the chunks procedures come to the same result, within the budget.
// (With the least that will do: TestRun_EveryAlgorithmWithinItsEstimate.)
func TestRun_ProceduresInPasses(t *testing.T) {
	for _, name := range inPasses {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			for _, directed := range long.Draw(t, []bool{false, true}, 1) {
				req := Request{Algorithm: name, Threads: 1 + rng.IntN(3), Schedule: []string{"auto", "subway"}[rng.IntN(2)]}
				g := random(rng, 100+rng.IntN(200), 2000, directed, false, false)
				if name == "betweenness" && !long.Tests() {
					req.Params = map[string]string{"sources": "5"}
				}
				least := 4 << 10
				if long.Tests() { // chunk after chunk meets chunk after chunk
					least = 1 << 10
				}
				checkPasses(t, g, a, req, least+rng.IntN(30<<10))
			}
		})
	}
}

// checkPasses runs a procedure with all chunks and in passes, and compares both with its oracle.
func checkPasses(t *testing.T, g *sample, a *algorithms.Algorithm, req Request, chunkBytes int) {
	t.Helper()
	snap := g.stored(t, chunkBytes)
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(req.Params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	want, err := a.Oracle(g.inMemory(), args)
	if err != nil {
		t.Fatal(err)
	}
	chunks := needs.Resident - needs.State
	shares := []uint64{2}
	if long.Tests() { // thousands of passes
		shares = append(shares, 4, 16)
	}
	for _, share := range shares {
		req.DeviceMemory = needs.Minimum + chunks/share
		if req.DeviceMemory >= needs.Resident {
			continue
		}
		var planned Needs
		got, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { planned = n }})
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		if err := a.Verify(g.inMemory(), args, got.Columns); err != nil {
			t.Errorf("%+v, %d vertices, directed %v: %v", req, len(g.users), g.directed, err)
		}
		if !near(got.Columns, want) {
			t.Errorf("%+v, %d vertices, directed %v: another result than the oracle's", req, len(g.users), g.directed)
		}
		r := got.Report
		if r.PeakDeviceBytes > req.DeviceMemory || planned.Device > req.DeviceMemory || r.Iterations == 0 ||
			r.Bytes.Transfer == 0 || !planned.PerIteration {
			t.Errorf("%+v: peak %d, %+v; planned %+v", req, r.PeakDeviceBytes, r.Bytes, planned)
		}
		checkBounds(t, req, r, planned)
	}
}

// The lists of a k-core are sent once to be counted, once when their vertex is removed, and as often in vain at most.
// Along a path, where each vertex is removed after the one before it, many are removed in one pass.
func TestRun_PassesSendWhatIsAskedFor(t *testing.T) {
	rng := testseed.Rand(t)
	path := &sample{}
	for v := range uint32(20_000) {
		path.users = append(path.users, strconv.Itoa(int(v)))
		if v > 0 {
			path.edges = append(path.edges, algorithms.Edge{Src: v - 1, Dst: v})
		}
	}
	for name, g := range map[string]*sample{"dense": random(rng, 1000, 60_000, false, false, false), "path": path} {
		snap := g.stored(t, 8<<10)
		req := Request{Algorithm: "k-core"}
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.Minimum + 100<<10
		r := mustRun(t, snap, req).Report
		if once := needs.Transfer; r.Schedule == plan.ResidentSchedule || r.Bytes.Transfer > 4*once {
			t.Errorf("%s, %s: %d bytes were sent, of %d; passes %d", name, r.Schedule, r.Bytes.Transfer, once, r.Iterations)
		}
		if name == "path" && r.Iterations > 100 {
			t.Errorf("%d passes along a path", r.Iterations)
		}
	}
}

// Along a directed cycle each vertex has something to tell the one after it. It is told within the pass where that list
// is there: few passes reach all, and few lists come in vain.
func TestRun_SCCGoesOnWithinAPass(t *testing.T) {
	const n = 20_000
	cycle := &sample{directed: true}
	for v := range uint32(n) {
		cycle.users = append(cycle.users, strconv.Itoa(int(v)))
		cycle.edges = append(cycle.edges, algorithms.Edge{Src: v, Dst: (v + 1) % n})
	}
	snap := cycle.stored(t, 8<<10)
	req := Request{Algorithm: "scc"}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum + 40<<10
	r := mustRun(t, snap, req).Report
	if r.Schedule == plan.ResidentSchedule || r.Iterations > 200 || r.Bytes.Transfer > 6*needs.Transfer {
		t.Errorf("%s: %d passes, %d bytes of %d", r.Schedule, r.Iterations, r.Bytes.Transfer, needs.Transfer)
	}
}

// The least budget has room for many lists, where they are short: a pass for each would be no use.
func TestRun_LeastBudgetIsManyLists(t *testing.T) {
	g := random(testseed.Rand(t), 5000, 20_000, false, false, false)
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "scc"}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum
	if r := mustRun(t, snap, req).Report; r.Schedule == plan.ResidentSchedule || r.Iterations > 20 {
		t.Errorf("%s: %d passes over %d vertices", r.Schedule, r.Iterations, len(g.users))
	}
}

// A list serves all sources of a group for which its vertex is on a level. With more room, groups are larger and fewer:
// of eight sources that are searched from one by one, lists would be sent about eight times, out and back.
func TestRun_BetweennessSearchesTogether(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	snap := random(testseed.Rand(t), 500, 30_000, true, false, false).stored(t, 4<<10)
	req := Request{Algorithm: "betweenness", Params: map[string]string{"sources": "8"}}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	least := needs.Minimum
	for _, c := range []struct{ room, most uint64 }{{32 << 10, 16}, {200 << 10, 5}} { // bytes, lists along the edges
		req.DeviceMemory = least + c.room
		r := mustRun(t, snap, req).Report
		if all := c.most * needs.Transfer / 2; r.Schedule == plan.ResidentSchedule || r.Bytes.Transfer > all {
			t.Errorf("%d bytes more than the least: %d were sent, of %d", c.room, r.Bytes.Transfer, all)
		}
	}
}

// What cannot be done is said before the run: by Estimate and by Run, and nothing has started. Queues have no passes,
// nor has betweenness by weights.
func TestRun_ProcedureNeedsAllChunks(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 9000, true, false, false).stored(t, 4<<10)
	requests := []Request{{Algorithm: "betweenness", Params: map[string]string{"weight": "weight"}}}
	for _, name := range inPasses {
		requests = append(requests, Request{Algorithm: name, Schedule: "scaph"})
	}
	for _, req := range requests {
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.Resident - 1
		started := false
		_, estimated := Estimate(context.Background(), snap, req)
		_, err = Run(context.Background(), snap, req, Events{Planned: func(Needs) { started = true }})
		var over *BudgetError
		if !errors.As(err, &over) || over.Need != needs.Resident || started || !errors.As(estimated, &over) {
			t.Errorf("%s: error %v, estimated %v", req.Algorithm, err, estimated)
		}
	}
}
