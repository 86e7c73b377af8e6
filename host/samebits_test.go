package host

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// hubs draws a graph in which a tenth of all edges lead to one vertex, and chunks have several times the edges that are
// added up at once: lists, and chunks, are cut in places of all kinds.
func hubs(rng *rand.Rand, t *testing.T) *store.Snapshot {
	const n, m = 3000, 12 * chunk.SumEdges
	s := &sample{directed: rng.IntN(2) == 0}
	for v := range n {
		s.users = append(s.users, strconv.Itoa(v))
	}
	hub := uint32(rng.IntN(n))
	for range m {
		e := algorithms.Edge{Src: uint32(rng.IntN(n)), Dst: uint32(rng.IntN(n)),
			Weights: map[string]float64{"weight": rng.Float64(), "toll": float64(rng.IntN(9))}}
		switch rng.IntN(20) {
		case 0, 1:
			e.Dst = hub
		case 2:
			e.Dst %= 10
		}
		s.edges = append(s.edges, e)
	}
	s.order = []store.Order{store.OrderNone, store.OrderDegree}[rng.IntN(2)]
	return s.stored(t, 1<<20+rng.IntN(4<<20))
}

// Sums have the same bits whether the graph is on the device or passes through it in pieces, with room for SumEdges,
// for every kernel that adds up along lists, and any number of threads.
func TestRun_SameBitsOfSums(t *testing.T) {
	t.Parallel()
	custom := func(process string) Request {
		return Request{Custom: &algorithms.Custom{Process: process, Reduce: "sum", Init: "1.0 / double(id + 1)",
			Apply: "0.1 + 0.2 * acc / double(self.in_degree + 1)"}, Params: map[string]string{"iterations": "3"}}
	}
	product := custom("1.0 + src.value * 0.001")
	product.Custom.Reduce, product.Custom.Apply = "prod", "0.5 + acc / (1.0 + acc)"
	single := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "3", "precision": "single"}}
	programs := map[string]Request{
		"pagerank": {Algorithm: "pagerank", Params: map[string]string{"iterations": "3"}}, "single": single,
		"times": custom("src.value * edge.weight"), "plus": custom("src.value + edge.weight"),
		"least": custom("min(src.value, edge.weight)"),
		"converted": custom(
			"src.value * edge.toll"), "any": custom("src.value * edge.weight / (1.0 + edge.weight * src.value)"),
		"product": product,
	}
	for _, name := range long.Raced(t, long.Draw(t, slices.Sorted(maps.Keys(programs)), 4), 2) {
		t.Run(name, func(t *testing.T) {
			req := programs[name]
			rng := testseed.Rand(t)
			snap := hubs(rng, t)
			req.Threads = 1 + rng.IntN(4)
			want := mustRun(t, snap, req)
			req.Threads = 1 + rng.IntN(4) // of which each takes a little of the budget
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			least := needs.Minimum + 28*chunk.SumEdges // room for so many edges, with a column, and what it may be converted to
			if least >= needs.Resident {
				t.Fatalf("the graph is too small: %d bytes are its least, %d are all", least, needs.Resident)
			}
			room := needs.Resident - least
			budgets := []uint64{least, least + rng.Uint64N(room)}
			if long.Tests() {
				budgets = append(budgets, least+room/16, least+rng.Uint64N(room/2))
			}
			for _, req.DeviceMemory = range budgets {
				got := mustRun(t, snap, req)
				if got.Report.Schedule == plan.ResidentSchedule {
					t.Errorf("resident with %d of %d bytes", req.DeviceMemory, needs.Resident)
				}
				if !same(got.Columns, want.Columns) {
					t.Errorf("%s: other bits with %d bytes, between %d and %d", want.Report.Kernel, req.DeviceMemory, needs.Minimum,
						needs.Resident)
				}
			}
			if !slices.ContainsFunc(want.Columns[0].Floats, func(x float64) bool { return x != want.Columns[0].Floats[0] }) {
				t.Error("all values are the same")
			}
		})
	}
}
