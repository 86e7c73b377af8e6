package plugintest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testExtensions holds a device to the extensions that it names: each of them it takes up in some task, and no other.
// That they work then is for the groups Catalog, Mapped, Restore, Share, Parts and Lanes, which leave out what is not
// taken up.
func testExtensions(t *testing.T, device plugins.Device) {
	d := describe(t, device)
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
	d := describe(t, device)
	named, taken := !extension.Lacks(d, e), extension.Offers(d, e)
	if e == plugins.ExtensionPasses {
		if rig := anyProcedure(t, r, device, procedures(d, algorithms.All()), passModes[0]); rig != nil {
			taken = extension.Takes(rig.plan, e)
			rig.close()
		}
	}
	if e == plugins.ExtensionCycles {
		taken = findsCycle(t, r, device)
	}
	if task, ok := tasks[e]; ok {
		err := task.try(t, r, device)
		if taken = err == nil; err != nil && plugins.KindOf(err) != plugins.KindUnsupported {
			return fmt.Errorf("%s: %w", task.of, err)
		}
	}
	if m, ok := asking(e); ok {
		for _, a := range programs(d) {
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
	plugins.ExtensionProperties: {"a program that reads vertex properties", readsProperties},
	plugins.ExtensionNetworks:   {"a neural network", tryNetwork},
	plugins.ExtensionBatches:    {"a neural network over batches", tryBatches},
	plugins.ExtensionPortions:   {"a portion of a batch", tryPortion},
	plugins.ExtensionHalves:     {"halves of a neural network", tryHalves},
	plugins.ExtensionLearns:     {"learning", tryLearning},
}

// asking is a way to drive a task that asks for an extension. There is none for those that are described beforehand.
func asking(e plugins.Extension) (m mode, ok bool) {
	m = mode{name: "asked for " + string(e), streamed: true, restorable: true,
		partition: partition{rows: 3, cols: 1, whole: true}}
	switch e {
	case plugins.ExtensionRestore:
	case plugins.ExtensionSettle:
		m.streamed, m.settled, m.active, m.restorable = false, true, true, false
	case plugins.ExtensionNearest:
		m.streamed, m.settled, m.nearest, m.active, m.restorable = false, true, true, true, false
	case plugins.ExtensionSelects:
		m.active, m.restorable = true, false
	case plugins.ExtensionShares:
		m.share = &chunk.Interval{}
	case plugins.ExtensionJoins:
		m.share, m.joins = &chunk.Interval{}, true
	case plugins.ExtensionParts:
		m.part = &part{}
	case plugins.ExtensionIntervals:
		m.intervals = true
	default:
		return m, false
	}
	return m, true
}

// takesUp has a device plan a program in a mode, and tells whether the plan takes up the extension. A device that
// refuses the task by KindUnsupported does not.
func takesUp(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, m mode,
	e plugins.Extension) (bool, error) {
	t.Helper()
	g := denseGraph(r, 80, 400)
	args, ok := bind(t, r, a, g)
	if !ok {
		return false, nil
	}
	p, err := a.Program(args)
	if err != nil {
		return false, err
	}
	if m.share != nil {
		m.share = &chunk.Interval{Count: uint64(g.N())}
	}
	if m.part != nil {
		m.part = &part{edges: g}
	}
	rig, err := newRig(t, r, device, g, programWork(t, g, p), m)
	switch {
	case err == nil:
		defer rig.close()
		return extension.Takes(rig.plan, e), nil
	case plugins.KindOf(err) == plugins.KindUnsupported:
		return false, nil
	}
	return false, err
}
