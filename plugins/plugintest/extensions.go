package plugintest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/extensions"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/learning"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/networks"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// testExtensions holds a device to the extensions that it names: each of them it takes up in some task, and no other.
// That they work then is for the groups Catalog, Mapped, Restore, Share, Parts and Lanes, which leave out what is not
// taken up.
func testExtensions(t *testing.T, device plugins.Device) {
	d := drive.Describe(t, device)
	if len(d.Extensions) == 0 {
		t.Skip("the device names no extensions: its plans tell which it has")
	}
	r := testseed.Rand(t)
	for _, e := range extension.All() {
		t.Run(string(e), func(t *testing.T) {
			if err := keepsWord(t, r, device, e); err != nil {
				t.Error(err)
			}
			if extension.Lacks(d, e) {
				t.Skip("the device does not have it")
			}
		})
	}
}

// keepsWord tells whether a device that names its extensions has one of them exactly if it is among them.
func keepsWord(t *testing.T, r *rand.Rand, device plugins.Device, e plugins.Extension) error {
	t.Helper()
	d := drive.Describe(t, device)
	named, taken := !extension.Lacks(d, e), extension.Offers(d, e)
	if e == plugins.ExtensionPasses {
		listed := trial.Procedures(d, catalog.All())
		if rig := extensions.AnyProcedure(t, r, device, listed, extensions.PassModes[0]); rig != nil {
			taken = extension.Takes(rig.Plan, e)
			rig.Close()
		}
	}
	if e == plugins.ExtensionCycles {
		taken = extensions.FindsCycle(t, r, device)
	}
	if task, ok := tasks[e]; ok {
		err := task.try(t, r, device)
		if taken = err == nil; err != nil && plugins.KindOf(err) != plugins.KindUnsupported {
			return fmt.Errorf("%s: %w", task.of, err)
		}
	}
	if m, ok := asking(e); ok {
		for _, a := range trial.Programs(d) {
			takes, err := takesUp(t, r, device, a, m, e)
			if err != nil {
				return fmt.Errorf("%s, asked for the extension %s: %w", a.Name, e, err)
			}
			taken = taken || takes
		}
	}
	switch {
	case named && !taken:
		return fmt.Errorf("the device names the extension %s, and takes it up in no task", e)
	case !named && taken:
		return fmt.Errorf("the device takes up the extension %s, which it does not name", e)
	}
	return nil
}

// tasks are those that a device takes up by one extension alone: it refuses them by KindUnsupported, or does them.
var tasks = map[plugins.Extension]struct {
	of  string
	try func(*testing.T, *rand.Rand, plugins.Device) error
}{
	plugins.ExtensionProperties: {"a program that reads vertex properties", extensions.ReadsProperties},
	plugins.ExtensionNetworks:   {"a neural network", networks.TryNetwork},
	plugins.ExtensionBatches:    {"a neural network over batches", networks.TryBatches},
	plugins.ExtensionPortions:   {"a portion of a batch", networks.TryPortion},
	plugins.ExtensionHalves:     {"halves of a neural network", networks.TryHalves},
	plugins.ExtensionLearns:     {"learning", learning.TryLearning},
}

// asking is a way to drive a task that asks for an extension. There is none for those that are described beforehand.
func asking(e plugins.Extension) (m drive.Mode, ok bool) {
	m = drive.Mode{Name: "asked for " + string(e), Streamed: true, Restorable: true,
		Partition: drive.Partition{Rows: 3, Cols: 1, Whole: true}}
	switch e {
	case plugins.ExtensionRestore:
	case plugins.ExtensionSettle:
		m.Streamed, m.Settled, m.Active, m.Restorable = false, true, true, false
	case plugins.ExtensionNearest:
		m.Streamed, m.Settled, m.Nearest, m.Active, m.Restorable = false, true, true, true, false
	case plugins.ExtensionSelects:
		m.Active, m.Restorable = true, false
	case plugins.ExtensionShares:
		m.Share = &chunk.Interval{}
	case plugins.ExtensionJoins:
		m.Share, m.Joins = &chunk.Interval{}, true
	case plugins.ExtensionParts:
		m.Part = &drive.Part{}
	case plugins.ExtensionIntervals:
		m.Intervals = true
	default:
		return m, false
	}
	return m, true
}

// takesUp has a device plan a program in a mode, and tells whether the plan takes up the extension. A device that
// refuses the task by KindUnsupported does not.
func takesUp(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, m drive.Mode,
	e plugins.Extension) (bool, error) {
	t.Helper()
	g := drawn.DenseGraph(r, 80, 400)
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return false, nil
	}
	p, err := a.Program(args)
	if err != nil {
		return false, err
	}
	if m.Share != nil {
		m.Share = &chunk.Interval{Count: uint64(g.N())}
	}
	if m.Part != nil {
		m.Part = &drive.Part{Edges: g}
	}
	rig, err := drive.Open(t, r, device, g, drive.ProgramWork(t, g, p), m)
	switch {
	case err == nil:
		defer rig.Close()
		return extension.Takes(rig.Plan, e), nil
	case plugins.KindOf(err) == plugins.KindUnsupported:
		return false, nil
	}
	return false, err
}
