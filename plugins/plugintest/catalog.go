package plugintest

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testCatalog compares every algorithm of the catalog with its oracle.
func testCatalog(t *testing.T, device plugins.Device) {
	lists := describe(t, device)
	for _, name := range lists.Procedures {
		if a, err := algorithms.Lookup(name); err != nil || a.Name != name || a.Procedure == nil {
			t.Errorf("the device lists %q, which is no procedure", name)
		}
	}
	for _, name := range lists.Programs {
		if a, err := algorithms.Lookup(name); err != nil || a.Name != name || a.Procedure != nil {
			t.Errorf("the device lists %q, which is no vertex program of the catalog", name)
		}
	}
	for _, a := range long.Raced(t, algorithms.All(), 16) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			if !listed(lists, a) {
				testUnlisted(t, r, device, a)
				t.Skip("the device does not list it")
			}
			for range graphs(t) {
				testAlgorithm(t, r, device, a, randomGraph(r), modes...)
			}
		})
	}
}

// testShapes runs the catalog on graphs of awkward shape. Each is directed or not, as is drawn; where algorithms meet
// more than one random graph, it is both.
func testShapes(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	lists := describe(t, device)
	for _, s := range shapes(r) {
		both := []bool{true, false}
		if graphs(t) == 1 {
			both = both[r.IntN(2):][:1]
		}
		for _, directed := range both {
			g := s.graph(directed)
			t.Run(fmt.Sprintf("%s, directed %v", s.name, directed), func(t *testing.T) {
				for _, a := range long.Raced(t, algorithms.All(), 16) {
					if listed(lists, a) {
						testAlgorithm(t, r, device, a, g, modes[0], modes[4])
					}
				}
			})
		}
	}
}

// hubBudget is ample for the graph with the hub, unless a device takes memory by pairs of vertices.
const hubBudget = 256 << 20

// testHub runs what takes few iterations on a vertex of very many edges.
func testHub(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for _, c := range []struct {
		directed bool
		mode     mode
	}{{true, modes[0]}, {false, modes[3]}} {
		g := hubGraph(r, c.directed)
		c.mode.budget = hubBudget
		a, err := algorithms.Lookup("wcc")
		if err != nil {
			t.Fatal(err)
		}
		if !listed(describe(t, device), a) {
			t.Skip("the device does not list it")
		}
		testAlgorithm(t, r, device, a, g, c.mode)
	}
}
