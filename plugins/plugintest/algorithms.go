package plugintest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/core"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/extensions"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Oracle computes the result of an algorithm plainly: one slice for each column, of g.N() values; of a table, of as
// many as there are rows, in any order.
type Oracle func(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error)

// RunAlgorithms tests a plugin of algorithms (package plugins/algorithm, or another that describes some): each against
// its oracle, by name. Graphs and arguments are made from the definitions: directed and undirected graphs, with loops
// and parallel edges, empty ones and others of awkward shape, cut into chunks in every way, in memory and in files, and
// in passes, if the plugin has them; with as much memory as it wants, and with the least. Columns of numbers may differ
// by rounding.
func RunAlgorithms(t *testing.T, open Open, oracles map[string]Oracle) {
	for _, group := range []struct {
		name string
		test func(*testing.T, plugins.Device, algorithms.Catalog)
	}{
		{"Random", testRandom},
		{"Shapes", testEveryShape},
		{"Passes", testAnyPasses},
		{"Budget", testLeastMemory},
		{"Others", testOthers},
	} {
		t.Run(group.name, func(t *testing.T) {
			device := open(t)
			core.Describe(t, device)
			group.test(t, device, define(t, drive.Describe(t, device), oracles))
		})
	}
}

// define are the algorithms that a plugin describes, with their oracles.
func define(t *testing.T, d plugins.Description, oracles map[string]Oracle) (all algorithms.Catalog) {
	t.Helper()
	for _, definition := range d.Algorithms {
		a, err := algorithms.Define(definition)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := catalog.Lookup(a.Name); err == nil {
			t.Errorf("algorithm %q is built in: choose another name", a.Name)
		}
		if !slices.Contains(d.Procedures, a.Name) {
			t.Errorf("the plugin does not list algorithm %q among its procedures", a.Name)
		}
		oracle, known := oracles[a.Name]
		if !known {
			t.Fatalf("there is no oracle for algorithm %q", a.Name)
		}
		a.Oracle = oracle
		a.Verify = func(*algorithms.Graph, algorithms.Args, []algorithms.Values) error { return nil }
		all = append(all, a)
	}
	if len(all) == 0 {
		t.Fatal("the plugin describes no algorithms")
	}
	return all
}

// testRandom runs each algorithm on random graphs.
func testRandom(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	for _, a := range all {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range map[bool]int{false: 20, true: 200}[long.Tests()] {
				trial.Algorithm(t, r, device, a, drawn.RandomGraph(r), drive.Modes...)
			}
		})
	}
}

// testEveryShape runs all on graphs of awkward shape.
func testEveryShape(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	r := testseed.Rand(t)
	for _, s := range drawn.Shapes(r) {
		for _, directed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, directed %v", s.Name, directed), func(t *testing.T) {
				for _, a := range all {
					trial.Algorithm(t, r, device, a, s.Graph(directed), drive.Modes...)
				}
			})
		}
	}
}

// testAnyPasses runs in passes what the plugin computes in passes. It says so in its description, or has none.
func testAnyPasses(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	var some algorithms.Catalog
	for _, a := range all {
		alone := algorithms.Catalog{a}
		if rig := extensions.AnyProcedure(t, testseed.Rand(t), device, alone, extensions.PassModes[0]); rig != nil {
			if rig.Plan.Passes {
				some = append(some, a)
			}
			rig.Close()
		}
	}
	d := drive.Describe(t, device)
	if named := !extension.Lacks(d, plugins.ExtensionPasses); len(d.Extensions) > 0 && named != (len(some) > 0) {
		t.Errorf("the plugin names the extension passes: %v; it computes so: %d algorithms", named, len(some))
	}
	if len(some) == 0 {
		t.Skip("the plugin computes with all chunks at once")
	}
	extensions.PassesOf(t, device, some)
	t.Run("commands", func(t *testing.T) { extensions.PassCommands(t, testseed.Rand(t), device, some) })
}

// testLeastMemory gives each algorithm what its plan and its chunks take, and then a byte less.
func testLeastMemory(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	for _, a := range all {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			g := drawn.DenseGraph(r, 300, 2400)
			args, ok := drawn.Bind(t, r, a, g)
			if !ok {
				t.Skip("the graph has no vertex to begin from")
			}
			seed := r.Uint64()
			run := func(budget uint64) (*drive.Rig, error) {
				m := drive.Modes[1]
				m.Budget = budget
				rig, err := drive.Open(t, rand.New(rand.NewPCG(seed, 2)), device, g, drive.ProcedureWork(a, args), m)
				if err != nil {
					return nil, err
				}
				defer rig.Close()
				_, err = rig.Run()
				return rig, err
			}
			rig, err := run(0)
			if err != nil {
				t.Fatalf("without a bound: %v", err)
			}
			peak := rig.Talk.Peak
			if _, err := run(peak); err != nil {
				t.Errorf("with %d bytes, its own peak: %v", peak, err)
			}
			if _, err := run(peak - 1); err == nil || plugins.KindOf(err) != plugins.KindBudget {
				t.Errorf("with %d bytes, one less than its peak: %v; expected %q", peak-1, err, plugins.KindBudget)
			}
		})
	}
}

// testOthers: what the plugin does not have it refuses.
func testOthers(t *testing.T, device plugins.Device, _ algorithms.Catalog) {
	d := drive.Describe(t, device)
	for _, a := range catalog.All() {
		if !slices.Contains(slices.Concat(d.Procedures, d.Programs), a.Name) {
			trial.Unlisted(t, testseed.Rand(t), device, a)
		}
	}
}
