package core

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Catalog compares every algorithm of the catalog with its oracle.
func Catalog(t *testing.T, device plugins.Device) {
	lists := drive.Describe(t, device)
	for _, name := range lists.Procedures {
		if a, err := catalog.Lookup(name); err != nil || a.Name != name || a.Procedure == nil {
			t.Errorf("the device lists %q, which is no procedure", name)
		}
	}
	for _, name := range lists.Programs {
		if a, err := catalog.Lookup(name); err != nil || a.Name != name || a.Procedure != nil {
			t.Errorf("the device lists %q, which is no vertex program of the catalog", name)
		}
	}
	for _, a := range long.Raced(t, catalog.All(), 16) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			if !trial.Listed(lists, a) {
				trial.Unlisted(t, r, device, a)
				t.Skip("the device does not list it")
			}
			for range drawn.Graphs(t) {
				trial.Algorithm(t, r, device, a, drawn.RandomGraph(r), drive.Modes...)
			}
		})
	}
}

// Shapes runs the catalog on graphs of awkward shape. Each is directed or not, as is drawn; where algorithms meet
// more than one random graph, it is both.
func Shapes(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	lists := drive.Describe(t, device)
	for _, s := range drawn.Shapes(r) {
		both := []bool{true, false}
		if drawn.Graphs(t) == 1 {
			both = both[r.IntN(2):][:1]
		}
		for _, directed := range both {
			g := s.Graph(directed)
			t.Run(fmt.Sprintf("%s, directed %v", s.Name, directed), func(t *testing.T) {
				for _, a := range long.Raced(t, catalog.All(), 16) {
					if trial.Listed(lists, a) {
						trial.Algorithm(t, r, device, a, g, drive.Modes[0], drive.Modes[4])
					}
				}
			})
		}
	}
}

// hubBudget is ample for the graph with the hub, unless a device takes memory by pairs of vertices.
const hubBudget = 256 << 20

// Hub runs what takes few iterations on a vertex of very many edges.
func Hub(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for _, c := range []struct {
		directed bool
		mode     drive.Mode
	}{{true, drive.Modes[0]}, {false, drive.Modes[3]}} {
		g := drawn.HubGraph(r, c.directed)
		c.mode.Budget = hubBudget
		a, err := catalog.Lookup("wcc")
		if err != nil {
			t.Fatal(err)
		}
		if !trial.Listed(drive.Describe(t, device), a) {
			t.Skip("the device does not list it")
		}
		trial.Algorithm(t, r, device, a, g, c.mode)
	}
}
