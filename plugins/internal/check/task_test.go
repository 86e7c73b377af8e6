package check_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// A share that is none of the graph's, or cuts a word of the active set, is refused, as is one of a
// task that could not go on from what others have.
func TestTask_Share(t *testing.T) {
	for name, c := range map[string]struct {
		share              chunk.Interval
		restorable, settle bool
		fits               bool
	}{
		"first":           {chunk.Interval{Count: 64}, true, false, true},
		"last":            {chunk.Interval{Base: 64, Count: 36}, true, false, true},
		"empty":           {chunk.Interval{}, true, false, true},
		"not restorable":  {chunk.Interval{Count: 64}, false, false, false},
		"settles":         {chunk.Interval{Count: 64}, true, true, true},
		"cuts a word":     {chunk.Interval{Base: 32, Count: 68}, true, false, false},
		"ends in a word":  {chunk.Interval{Count: 70}, true, false, false},
		"beyond the end":  {chunk.Interval{Base: 64, Count: 64}, true, false, false},
		"begins after it": {chunk.Interval{Base: 128}, true, false, false},
		"overflows":       {chunk.Interval{Base: 64, Count: 1<<64 - 64}, true, false, false},
	} {
		err := check.Task(plugins.Task{Share: &c.share, Restorable: c.restorable, Settle: c.settle}, 100, 0)
		if (err == nil) != c.fits || !c.fits && plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Sections of a grid are all vertices, in their order, at both ends.
func TestTask_Grid(t *testing.T) {
	for name, c := range map[string]struct {
		grid plugins.Grid
		fits bool
	}{
		"two and one":        {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 40, 100}, {0, 100}}}, true},
		"no section each":    {plugins.Grid{Sections: [2][]uint64{{0, 100}, {0, 100}}}, false},
		"none":               {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 100}, {}}}, false},
		"not from the first": {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 100}, {1, 100}}}, false},
		"not to the last":    {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 99}, {0, 100}}}, false},
		"an empty one":       {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 50, 50, 100}, {0, 100}}}, false},
		"backward":           {plugins.Grid{Each: 1, Sections: [2][]uint64{{0, 60, 40, 100}, {0, 100}}}, false},
	} {
		err := check.Task(plugins.Task{Network: &plugins.Network{Grid: &c.grid}}, 100, 0)
		if (err == nil) != c.fits || !c.fits && plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// More lanes than a device has described are not supported; lanes, or a part, of a task that says what does not go
// with them are invalid.
func TestTask_Contradictions(t *testing.T) {
	lanes := make([][]algorithms.Constant, 3)
	for name, c := range map[string]struct {
		task  plugins.Task
		lanes int
		kind  plugins.Kind // KindInternal: none
	}{
		"lanes":                  {plugins.Task{Lanes: lanes}, 3, plugins.KindInternal},
		"too many lanes":         {plugins.Task{Lanes: lanes}, 2, plugins.KindUnsupported},
		"lanes that settle":      {plugins.Task{Lanes: lanes, Settle: true}, 3, plugins.KindInvalid},
		"lanes to restore":       {plugins.Task{Lanes: lanes, Restorable: true}, 3, plugins.KindInvalid},
		"nearest, which settles": {plugins.Task{Nearest: true, Settle: true}, 0, plugins.KindInternal},
		"nearest by steps":       {plugins.Task{Nearest: true}, 0, plugins.KindInvalid},
		"a part":                 {plugins.Task{Part: true, Restorable: true}, 0, plugins.KindInternal},
		"a part, not restorable": {plugins.Task{Part: true}, 0, plugins.KindInvalid},
		"a part that has one share": {plugins.Task{Part: true, Restorable: true, Share: &chunk.Interval{}}, 0,
			plugins.KindInvalid},
	} {
		if err := check.Task(c.task, 100, c.lanes); (err == nil) != (c.kind == plugins.KindInternal) || err != nil &&
			plugins.KindOf(err) != c.kind {
			t.Errorf("%s: %v; expected %v", name, err, c.kind)
		}
	}
}

// Rows are learned by procedures, which have all chunks at once. What is given may be read in passes.
func TestTask_Rows(t *testing.T) {
	layout := plugins.Layout{Rows: make([]plugins.VertexRows, 1)}
	given := plugins.Layout{Rows: []plugins.VertexRows{{Rows: algorithms.Rows{Given: true}}}}
	for name, c := range map[string]struct {
		task plugins.Task
		fits bool
	}{
		"a procedure": {plugins.Task{Procedure: "learner", Layout: layout}, true},
		"in passes":   {plugins.Task{Procedure: "learner", Layout: layout, Passes: true}, false},
		"reads rows":  {plugins.Task{Procedure: "reader", Layout: given, Passes: true}, true},
		"a program":   {plugins.Task{Program: &algorithms.Program{}, Layout: layout}, false},
	} {
		err := check.Task(c.task, 100, 0)
		if (err == nil) != c.fits || !c.fits && plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
