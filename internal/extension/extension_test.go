package extension

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// A device says yes to an extension in one way: in Describe, or in a plan, and then the task asks for it. Nothing says
// yes by itself.
func TestAll(t *testing.T) {
	described := plugins.Description{MapsFiles: true, Lanes: 2,
		Extensions: []plugins.Extension{plugins.ExtensionWorkers, plugins.ExtensionProperties,
			plugins.ExtensionCycles}}
	task := plugins.Task{Settle: true, Restorable: true, Share: &chunk.Interval{}, Part: true,
		Lanes: make([][]algorithms.Constant, 1), ActiveRows: true, Passes: true,
		Nearest: true, Joins: true, Intervals: true,
		Network: &plugins.Network{Batch: &plugins.Batch{Rows: arena.Range{Length: 4}}, Halves: &plugins.Halves{}},
		Layout:  plugins.Layout{Rows: make([]plugins.VertexRows, 1)}}
	plan := plugins.Plan{Settles: true, Restores: true, Shares: true, Parts: true, Selects: true, Passes: true,
		Nearest: true, Joins: true, Intervals: true, Networks: true, Batches: true, Portions: true, Halves: true,
		Learns: true}
	for _, e := range All() {
		if Offers(described, e) == Takes(plan, e) {
			t.Errorf("%s: described %v, planned %v", e, Offers(described, e), Takes(plan, e))
		}
		if Takes(plan, e) && !Asks(task, e) {
			t.Errorf("%s: no task asks for it", e)
		}
		if Offers(plugins.Description{}, e) || Takes(plugins.Plan{}, e) || Asks(plugins.Task{}, e) {
			t.Errorf("%s is there without a word", e)
		}
	}
}

// A device that names extensions lacks the others; one that names none, as an old one, may have any.
func TestLacks(t *testing.T) {
	for _, e := range All() {
		some := plugins.Description{Extensions: []plugins.Extension{plugins.ExtensionSettle, "of tomorrow"}, Lanes: 2}
		if got, want := Lacks(some, e), e != plugins.ExtensionSettle && e != plugins.ExtensionLanes; got != want {
			t.Errorf("%s: lacks %v", e, got)
		}
		if Lacks(plugins.Description{}, e) {
			t.Errorf("an old device lacks %s", e)
		}
	}
}

// What a device has named spares a task that it would refuse, and no other.
func TestMissing(t *testing.T) {
	some := plugins.Description{Extensions: []plugins.Extension{plugins.ExtensionParts}}
	for _, c := range []struct {
		device plugins.Description
		task   plugins.Task
		want   plugins.Extension
	}{
		{some, plugins.Task{}, ""},
		{some, plugins.Task{Part: true, Restorable: true, ActiveRows: true}, ""},
		{some, plugins.Task{Part: true, Settle: true}, plugins.ExtensionSettle},
		{some, plugins.Task{Share: &chunk.Interval{}}, plugins.ExtensionShares},
		{some, plugins.Task{Lanes: make([][]algorithms.Constant, 2)}, plugins.ExtensionLanes},
		{some, plugins.Task{Program: &algorithms.Program{Properties: make([]algorithms.Property, 1)}},
			plugins.ExtensionProperties},
		{plugins.Description{Extensions: []plugins.Extension{plugins.ExtensionSettle}}, plugins.Task{Part: true},
			plugins.ExtensionParts},
		{plugins.Description{}, plugins.Task{Part: true, Settle: true, Share: &chunk.Interval{}}, ""},
	} {
		if got := Missing(c.device, c.task); got != c.want {
			t.Errorf("%v of %+v: %q, not %q", c.device.Extensions, c.task, got, c.want)
		}
	}
}
