// Package plugintest is the conformance suite: what every device must pass before a host
// trusts it. A device joins in a few lines:
//
//	func TestConformance(t *testing.T) {
//		plugintest.Run(t, func(*testing.T) plugins.Device { return mine.New() })
//	}
//
// The suite is a small host. It cuts graphs into chunks, passes them through an arena,
// and compares what comes back with the definitions in package algorithms:
//
//	graph ──cut──▶ chunks ──▶ arena ──Upload, Step, Apply …──▶ device ──▶ columns
//	  └──────────Oracle, Verify, RunProgram──────────────────▶ equal? ◀──────┘
//
// Its rooms are packages, each of which knows those to its left:
//
//	drawn ◀── drive ◀── trial ◀─┬─ core         what every device does: the catalog, operators, random programs
//	graphs,   a run,    its     ├─ extensions   what a run may ask for besides, by extension
//	programs, as a      result, ├─ networks     neural networks, in one piece, in many, over batches
//	arguments host      judged  ├─ learning     procedures that learn rows
//	          drives it         └─ refusals     what a device must refuse or survive
//
//	extensions.go  each extension that a device names, and no other, is taken up in some task
//	algorithms.go  the algorithms that a plugin brings along, against oracles of its test
//	launch.go      a device as a process
//	bench.go       the same rig as a benchmark
//
// A device that runs some vertex programs alone lists them in Description.Programs. The suite tests those, and that the
// device refuses the others by KindUnsupported.
//
// Graphs and programs are drawn from a seed that is logged; PENSTOCK_TEST_SEED repeats
// one. PENSTOCK_TEST_GRAPHS=3 has each algorithm meet three random graphs in each mode, instead of
// one, and every awkward shape both directed and undirected, instead of one of the two: test so before a release.
// PENSTOCK_LONG=0 has few algorithms and operators met, drawn: test so under the race detector.
// A device that answers Step with KindUnsupported does not stream: the suite then
// tests whole runs only, and a host gives it only what fits its memory.
package plugintest

import (
	"runtime/debug"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/core"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/extensions"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/learning"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/networks"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/refusals"
)

// Open gives a device to test. It may start a process, and end it by t.Cleanup.
type Open func(t *testing.T) plugins.Device

// Run tests the devices that open gives: one for each group of tests, and four for that of workers.
func Run(t *testing.T, open Open) {
	// It opens thousands of short sessions that keep little: collecting took a quarter of its time.
	was := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	for _, group := range []struct {
		name string
		test func(*testing.T, plugins.Device)
	}{
		{"Describe", core.Describe},
		{"Extensions", testExtensions},
		{"Catalog", core.Catalog},
		{"Shapes", core.Shapes},
		{"Hub", core.Hub},
		{"Operators", core.Operators},
		{"Programs", core.Programs},
		{"Monotone", core.Monotone},
		{"Sorted", extensions.Sorted},
		{"SameBits", core.SameBits},
		{"Mapped", extensions.Mapped},
		{"Restore", extensions.Restore},
		{"Share", extensions.Share},
		{"Parts", extensions.Parts},
		{"Intervals", extensions.Intervals},
		{"Lanes", extensions.Lanes},
		{"Passes", extensions.Passes},
		{"Networks", networks.Networks},
		{"Batches", networks.Batches},
		{"Halves", networks.Halves},
		{"Learns", learning.Learns},
		{"Budget", refusals.Budget},
		{"Invalid", refusals.Invalid},
		{"Damage", refusals.Damage},
		{"Cancel", refusals.Cancel},
		{"Sessions", refusals.Sessions},
		{"Again", core.Again},
	} {
		t.Run(group.name, func(t *testing.T) { group.test(t, open(t)) })
	}
	t.Run("Workers", func(t *testing.T) { learning.Workers(t, open) })
}

// RunPair has two sessions do runs of the catalog together, as Run does, but of two devices: one that has the dense
// core of the edges, and one that has the rest, and ends what they do in step.
func RunPair(t *testing.T, rest, core Open) { extensions.Pairs(t, rest(t), core(t)) }

// RunWorkers is what Run tests of devices that divide workers among processes (plugins.ExtensionWorkers), by itself:
// open gives a process each time that it is asked.
func RunWorkers(t *testing.T, open Open) { learning.Workers(t, open) }

// Rounds says of a device that it adds up along edges in another order piece by piece than where all of them are there,
// as one that multiplies matrices does. What it says piece by piece is then held to the oracle alone.
func Rounds(device plugins.Device) plugins.Device { return networks.Rounding{Device: device} }
