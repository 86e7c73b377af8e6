package extensions

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// FindsCycle tells whether a device names a cycle around which a product vanishes, at the beginning of a long path, and
// none where a path vanishes without one; and likewise of sums (plugins.ExtensionCycles).
func FindsCycle(t *testing.T, r *rand.Rand, device plugins.Device) bool {
	t.Helper()
	const n = 400
	ids := drawn.RandomIDs(r, n)
	var path []algorithms.Edge
	for v := range n - 1 {
		path = append(path, weighted(v, v+1, 0.1))
	}
	args := algorithms.Args{Ints: map[string]int64{"source": ids[0]}, Strings: map[string]string{"weight": "weight"}}
	ends := func(edges []algorithms.Edge) *plugins.Cycle {
		return cycleOf(t, r, device, drawn.NewGraph(true, ids, edges), "min-reliability", args)
	}
	if found := ends(path); found != nil {
		t.Errorf("a cycle %v in a graph without one", found.Vertices)
	}
	return ends(append(path, weighted(1, 1, 0.05))) != nil && findsSum(t, r, device)
}

// findsSum tells whether a device names a cycle around which numbers of paths grow, and none that is not reached.
func findsSum(t *testing.T, r *rand.Rand, device plugins.Device) bool {
	t.Helper()
	edges := []algorithms.Edge{weighted(0, 1, 1), weighted(1, 0, 1), weighted(1, 2, 1)}
	g := drawn.NewGraph(true, drawn.RandomIDs(r, 4), edges)
	ends := func(source int) *plugins.Cycle {
		return cycleOf(t, r, device, g, "num-paths", algorithms.Args{Ints: map[string]int64{"source": g.IDs[source]}})
	}
	if found := ends(2); found != nil {
		t.Errorf("a cycle %v that is not reached", found.Vertices)
	}
	return ends(0) != nil
}

// cycleOf is the cycle that a device names of an algorithm; nil: none. Without one, the run may end only because the
// device has no such operation.
func cycleOf(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, algorithm string,
	args algorithms.Args) *plugins.Cycle {
	t.Helper()
	a, err := catalog.Lookup(algorithm)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	o, err := trial.RunProgram(t, r, device, g, p, drive.Modes[0])
	if err != nil && o.Last.Cycle == nil && plugins.KindOf(err) != plugins.KindUnsupported {
		t.Fatal(err)
	}
	return o.Last.Cycle
}

func weighted(from, to int, weight float64) algorithms.Edge {
	return algorithms.Edge{Src: uint32(from), Dst: uint32(to), Weights: map[string]float64{"weight": weight}}
}
