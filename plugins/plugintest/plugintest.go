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
//	graphs.go      random graphs and those of awkward shape
//	partition.go   a graph as chunks, in every way a host may cut one
//	mode.go        how a host drives a task; work.go: which task that is
//	rig.go         one session under test, and what it is given
//	room.go        where its data lies in an arena; state.go: columns and active set; upload.go: chunks
//	drive.go       a run from Execute to results, whole or streamed
//	dialog.go      the stream of commands and events, and the rules of that stream
//	catalog.go     every algorithm against its oracle
//	operators.go   every operator of the expressions by itself
//	programs.go    random programs against the interpreter; generator.go makes them
//	monotone.go    and those whose messages may come in any order
//	sorted.go      and those that cycles may leave without a result, in topological order
//	bits.go        the same bits twice
//	extensions.go  each extension that a device names, and no other, is taken up in some task
//	restore.go     one run in two sessions
//	share.go       and in two at once, each with some of the vertices
//	parts.go       and in two at once, each with some of the edges; part.go cuts them
//	intervals.go   and in one, two intervals of the vertices at a time
//	lanes.go       and several runs in one session
//	passes.go      procedures in passes over the chunks
//	networks.go    neural networks; grids.go: and piece by piece
//	learns.go      procedures that learn rows; alternation.go, preferences.go: by least squares; cuts.go: with the graph
//	               cut otherwise; clocks.go: with a timeline; workers.go: by several processes together
//	algorithms.go  the algorithms that a plugin brings along, against oracles of its test
//	again.go       and several sessions on one arena, one after the other
//	mapped.go      chunks in files instead of the arena
//	budget.go, invalid.go, damage.go, cancel.go, sessions.go   what a device must refuse or survive
//	bench.go       the same rig as a benchmark
//	count.go       how many graphs
//
// A device that runs some vertex programs alone lists them in Description.Programs. The suite tests those, and that the
// device refuses the others by KindUnsupported (listed.go).
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
		{"Describe", testDescribe},
		{"Extensions", testExtensions},
		{"Catalog", testCatalog},
		{"Shapes", testShapes},
		{"Hub", testHub},
		{"Operators", testOperators},
		{"Programs", testPrograms},
		{"Monotone", testMonotone},
		{"Sorted", testSorted},
		{"SameBits", testSameBits},
		{"Mapped", testMapped},
		{"Restore", testRestore},
		{"Share", testShare},
		{"Parts", testParts},
		{"Intervals", testIntervals},
		{"Lanes", testLanes},
		{"Passes", testPasses},
		{"Networks", testNetworks},
		{"Batches", testBatches},
		{"Halves", testHalves},
		{"Learns", testLearns},
		{"Budget", testBudget},
		{"Invalid", testInvalid},
		{"Damage", testDamage},
		{"Cancel", testCancel},
		{"Sessions", testSessions},
		{"Again", testAgain},
	} {
		t.Run(group.name, func(t *testing.T) { group.test(t, open(t)) })
	}
	t.Run("Workers", func(t *testing.T) { testWorkers(t, open) })
}

// RunPair has two sessions do runs of the catalog together, as Run does, but of two devices: one that has the dense core
// of the edges, and one that has the rest, and ends what they do in step.
func RunPair(t *testing.T, rest, core Open) { testPairs(t, rest(t), core(t)) }

// RunWorkers is what Run tests of devices that divide workers among processes (plugins.ExtensionWorkers), by itself:
// open gives a process each time that it is asked.
func RunWorkers(t *testing.T, open Open) { testWorkers(t, open) }

// Rounds says of a device that it adds up along edges in another order piece by piece than where all of them are there,
// as one that multiplies matrices does. What it says piece by piece is then held to the oracle alone.
func Rounds(device plugins.Device) plugins.Device { return Rounding{device} }

func testDescribe(t *testing.T, device plugins.Device) {
	d := describe(t, device)
	if d.Name == "" || d.Version == "" || d.Hardware == "" {
		t.Errorf("a user cannot tell what this is: %+v", d)
	}
	if again := describe(t, device); again.Name != d.Name || again.Version != d.Version {
		t.Errorf("asked twice: %+v, then %+v", d, again)
	}
}
