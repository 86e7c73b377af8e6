package host

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
	"github.com/penstock-db/penstock/store"
)

// powerLaw draws a graph whose first vertices have most edges.
func powerLaw(rng *rand.Rand, a *algorithms.Algorithm) (*sample, map[string]string) {
	g, params := sampleFor(rng, a)
	skew, n := 1+4*rng.Float64(), float64(len(g.users))
	acyclic := !slices.ContainsFunc(g.edges, func(e algorithms.Edge) bool { return e.Src >= e.Dst })
	for i := range g.edges {
		u, v := uint32(n*math.Pow(rng.Float64(), skew)), uint32(n*math.Pow(rng.Float64(), skew))
		if !acyclic || u < v {
			g.edges[i].Src, g.edges[i].Dst = u, v
		}
	}
	g.order = []store.Order{store.OrderNone, store.OrderDegree, store.OrderRabbit}[rng.IntN(3)]
	return g, params
}

// randomCore is any of the ways to choose one.
func randomCore(rng *rand.Rand, g *sample) string {
	kind := "degree"
	if g.order == store.OrderRabbit && rng.IntN(2) == 0 {
		kind = "rabbit"
	}
	switch rng.IntN(4) {
	case 0:
		return "auto"
	case 1:
		return kind
	case 2:
		return fmt.Sprintf("%s:%g%%", kind, 1+99*rng.Float64())
	}
	return fmt.Sprintf("%s:%d", kind, 1+rng.IntN(len(g.users)))
}

// Whatever the program and the core, the answer is that of one device; of sums, which are taken in another order,
// nearly.
func TestSplit_SameAnswerAsOneDevice(t *testing.T) {
	eachProgram(t, func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm) {
		g, params := powerLaw(rng, a)
		checkSplit(t, rng, g.stored(t, 512+rng.IntN(4096)), g, a, params)
	})
}

func checkSplit(t *testing.T, rng *rand.Rand, snap *store.Snapshot, g *sample, a *algorithms.Algorithm,
	params map[string]string) {
	t.Helper()
	req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(2)}
	want := mustRun(t, snap, req)
	req.Device, req.Core, req.Synchronous = "cpu+cpu", randomCore(rng, g), rng.IntN(3) == 0
	got, err := Run(context.Background(), snap, req, Events{})
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	if !sums(t, g, a, params) && !same(got.Columns, want.Columns) {
		t.Errorf("%+v, %d vertices, directed %v: another result than of one device (%s)", req, len(g.users), g.directed,
			got.Report.Kernel)
	}
	checkOracle(t, snap, g, a, req, got)
	checkReport(t, got.Report)
}

// sums tells whether an algorithm adds up or multiplies.
func sums(t *testing.T, g *sample, a *algorithms.Algorithm, params map[string]string) bool {
	t.Helper()
	args, err := a.Bind(params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	return p.Reduce == algorithms.Sum || p.Reduce == algorithms.Prod
}

// checkOracle compares a result with the definition, and with the oracle's unless it depends on the way it was come by.
func checkOracle(t *testing.T, snap *store.Snapshot, g *sample, a *algorithms.Algorithm, req Request, result *Result) {
	t.Helper()
	got := asLoaded(t, snap, result.Columns)
	args, err := a.Bind(req.Params, g.env())
	if err == nil {
		err = a.Verify(g.inMemory(), args, got)
	}
	if err != nil {
		t.Errorf("%+v: %v", req, err)
	}
	want, err := a.Oracle(g.inMemory(), args)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Approximate && !near(got, want) {
		t.Errorf("%+v: the oracle says otherwise", req)
	}
}

// asLoaded are columns in the order of loading, in which the sample's vertices are.
func asLoaded(t *testing.T, snap *store.Snapshot, columns []algorithms.Values) (all []algorithms.Values) {
	t.Helper()
	places, err := snap.LoadPlaces(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if places == nil {
		return columns
	}
	for _, c := range columns {
		all = append(all, algorithms.Values{Column: c.Column, Floats: moved(c.Floats, places), Ints: moved(c.Ints, places),
			Bools: moved(c.Bools, places)})
	}
	return all
}

func moved[T any](values []T, to []uint32) []T {
	if values == nil {
		return nil
	}
	all := make([]T, len(values))
	for i, v := range values {
		all[to[i]] = v
	}
	return all
}

// near tells whether results are the same, doubles but for what rounding does to a sum.
func near(a, b []algorithms.Values) bool {
	return slices.EqualFunc(a, b, func(a, b algorithms.Values) bool {
		return slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Bools, b.Bools) &&
			slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool {
				return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
			})
	})
}

// checkReport compares what a report says of the core with what the devices did.
func checkReport(t *testing.T, r Report) {
	t.Helper()
	if r.Core.Rule == "none" {
		return
	}
	if len(r.Devices) != 2 || r.Core.Edges == 0 || r.Core.Vertices != r.Devices[1].Vertices ||
		r.Devices[1].Transfer == 0 || r.Core.Density <= 0 {
		t.Errorf("%+v, devices %+v", r.Core, r.Devices)
	}
}

// graphsVariable says of how many graphs TestSplit_ManyGraphs is; CI asks for 200.
const graphsVariable = "PENSTOCK_SPLIT_GRAPHS"

// Many graphs of skewed degrees, programs that are allowed, and cores of any size: the oracle's answer.
func TestSplit_ManyGraphs(t *testing.T) { checkManyGraphs(t, "cpu+cpu", "") }

// And with a second device that computes with matrices.
func TestSplit_ManyGraphsOnNPU(t *testing.T) { checkManyGraphs(t, "cpu+npu", withRuntime(t)) }

// withRuntime is a plugin directory that has npu, with ONNX Runtime.
func withRuntime(t *testing.T) string {
	t.Helper()
	orttest.Runtime(t)
	dir := t.TempDir()
	plugins, err := registry.Open(dir)
	if err == nil {
		_, err = plugins.InstallRuntime(context.Background(), registry.RuntimeOptions{Path: orttest.Path()})
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func checkManyGraphs(t *testing.T, device, pluginDir string) {
	t.Helper()
	graphs := 16
	if asked := os.Getenv(graphsVariable); asked != "" {
		var err error
		if graphs, err = strconv.Atoi(asked); err != nil {
			t.Fatal(err)
		}
	}
	var allowed []*algorithms.Algorithm
	for _, a := range catalog.All() {
		if a.Procedure == nil {
			allowed = append(allowed, a)
		}
	}
	for part := range 4 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			for range (graphs + 3) / 4 {
				a := allowed[rng.IntN(len(allowed))]
				g, params := powerLaw(rng, a)
				req := Request{Algorithm: a.Name, Params: params, Threads: 1, Device: device, PluginDir: pluginDir,
					Core: randomCore(rng, g), Synchronous: rng.IntN(3) == 0}
				if pluginDir != "" && req.Core == "auto" { // which measures first, and computes with npu only where that is sooner
					req.Core = "degree"
				}
				snap := g.stored(t, 512+rng.IntN(4096))
				got := mustRun(t, snap, req)
				checkOracle(t, snap, g, a, req, got)
				checkReport(t, got.Report)
			}
		})
	}
}

// Nearly all edges are the core's, so that there is hardly room left for what is cut.
func TestSplit_LargeCore(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	for _, directed := range []bool{true, false} {
		g := random(testseed.Rand(t), 300, 30_000, directed, false, false)
		snap := g.stored(t, 48<<10)
		for _, a := range []string{"sssp", "pagerank"} {
			algorithm, err := catalog.Lookup(a)
			if err != nil {
				t.Fatal(err)
			}
			req := Request{Algorithm: a, Device: "cpu+cpu", Core: "degree:99%"}
			if a == "sssp" {
				req.Params = map[string]string{"source": g.users[0]}
			}
			got := mustRun(t, snap, req)
			checkOracle(t, snap, g, algorithm, req, got)
			checkReport(t, got.Report)
		}
	}
}

// A core that leaves its size open has room beside its own edges, whatever the budget is.
func TestSplit_CoreFitsWithItsEdges(t *testing.T) {
	t.Parallel()
	dir := withRuntime(t)
	rng := testseed.Rand(t)
	bfs, err := catalog.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	g := random(rng, 1000, 30_000, rng.IntN(2) == 0, false, false)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}, Threads: 1, Device: "cpu+npu",
		PluginDir: dir, Core: "degree"}
	snap := g.stored(t, 8<<10)
	for range 4 {
		req.DeviceMemory = 1<<20 + rng.Uint64N(1<<20)
		got := mustRun(t, snap, req)
		checkOracle(t, snap, g, bfs, req, got)
		if c := got.Report.Core; c.Alone != "" || c.Vertices == 0 {
			t.Errorf("with %d bytes: %+v", req.DeviceMemory, c)
		}
	}
}

// What a core and a rest cannot do is refused, with the reason.
func TestSplit_Refuses(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	params := map[string]string{"source": vertexOf(t, snap)}
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "sssp", Params: params, Device: "cpu+cpu"})
	if err != nil || needs.Core == nil || needs.Core.Edges == 0 || needs.Minimum != needs.Resident ||
		needs.Least != 0 { // a smaller core takes less
		t.Fatalf("%+v, %v", needs, err)
	}
	for _, c := range []struct {
		req  Request
		says string
	}{
		{Request{Algorithm: "lcc", Device: "cpu+cpu"}, "it is a procedure"},
		{Request{Algorithm: "wcc", Device: "cpu+cpu", Schedule: "whole"}, "a core and a rest stay on their devices"},
		{Request{Algorithm: "wcc", Device: "cpu+cpu", Core: "hubs"}, `core "hubs": "hubs" is no way to choose`},
		{Request{Algorithm: "wcc", Device: "cpu", Core: "auto"}, "only a run on a core and a rest has one"},
		{Request{Algorithm: "wcc", Device: "cpu+cpu", Core: "rabbit:5%"}, "not stored by communities"},
		{Request{Algorithm: "wcc", Device: "cpu+"}, "a name is empty"},
		{Request{Algorithm: "sssp", Params: params, Device: "cpu+cpu", Core: "degree:5%", DeviceMemory: needs.Minimum - 1},
			"raise --device-memory"},
		{Request{Algorithm: "wcc", Device: "cpu+cpu", DeviceMemory: 100}, "its state"},
		{Request{Algorithm: "wcc", Device: "cpu+absent"}, "absent"},
	} {
		if _, err := Run(context.Background(), snap, c.req, Events{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v; want %q", c.req, err, c.says)
		}
	}
}

// Without an edge there is no core, and the run is an ordinary one.
func TestSplit_NoCore(t *testing.T) {
	g := random(testseed.Rand(t), 100, 0, true, false, false)
	snap, req := g.stored(t, 2048), Request{Algorithm: "wcc", Device: "cpu+cpu"}
	if needs, err := Estimate(context.Background(), snap, req); err != nil || needs.Least != 0 {
		t.Errorf("%+v, %v", needs, err) // it would have to be enough to look for one as well
	}
	got := mustRun(t, snap, req)
	if r := got.Report; r.Core == nil || r.Core.Rule != "none" || len(r.Devices) != 0 || r.Device != "cpu" {
		t.Errorf("%+v, %+v", r, r.Core)
	}
}
