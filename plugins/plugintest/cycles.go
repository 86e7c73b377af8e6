package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// findsCycle tells whether a device names a cycle around which a product vanishes, at the beginning of a long path, and
// none where a path vanishes without one; and likewise of sums (plugins.ExtensionCycles).
func findsCycle(t *testing.T, r *rand.Rand, device plugins.Device) bool {
	t.Helper()
	const n = 400
	ids := randomIDs(r, n)
	var path []algorithms.Edge
	for v := range n - 1 {
		path = append(path, weighted(v, v+1, 0.1))
	}
	args := algorithms.Args{Ints: map[string]int64{"source": ids[0]}, Strings: map[string]string{"weight": "weight"}}
	ends := func(edges []algorithms.Edge) *plugins.Cycle {
		return cycleOf(t, r, device, newGraph(true, ids, edges), "min-reliability", args)
	}
	if found := ends(path); found != nil {
		t.Errorf("a cycle %v in a graph without one", found.Vertices)
	}
	return ends(append(path, weighted(1, 1, 0.05))) != nil && findsSum(t, r, device)
}

// findsSum tells whether a device names a cycle around which numbers of paths grow, and none that is not reached.
func findsSum(t *testing.T, r *rand.Rand, device plugins.Device) bool {
	t.Helper()
	g := newGraph(true, randomIDs(r, 4), []algorithms.Edge{weighted(0, 1, 1), weighted(1, 0, 1), weighted(1, 2, 1)})
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
	a, err := algorithms.Lookup(algorithm)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	o, err := runProgram(t, r, device, g, p, modes[0])
	if err != nil && o.last.Cycle == nil && plugins.KindOf(err) != plugins.KindUnsupported {
		t.Fatal(err)
	}
	return o.last.Cycle
}

func weighted(from, to int, weight float64) algorithms.Edge {
	return algorithms.Edge{Src: uint32(from), Dst: uint32(to), Weights: map[string]float64{"weight": weight}}
}
