package plan

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// Inputs: vertex columns that the device only reads.
const (
	InputID        = "id"
	InputOutDegree = "out_degree"
	InputInDegree  = "in_degree"
)

// procedureInputs are what a procedure finds in the arena beside its results.
var procedureInputs = []algorithms.Column{
	{Name: InputID, Type: algorithms.Int},
	{Name: InputOutDegree, Type: algorithms.Int},
	{Name: InputInDegree, Type: algorithms.Int},
}

// Inputs is how many columns of a program come before its state.
func (c Computation) Inputs() int { return len(c.Columns) - len(c.Task.Program.State) }

// LaneColumns are the task's columns: the inputs, then state or results, in each lane.
//
//	id │ rank#0 │ rank#1 │ …
func (c Computation) LaneColumns() []algorithms.Column {
	if len(c.Task.Lanes) == 0 {
		return c.Columns
	}
	inputs := c.Inputs()
	columns := c.Columns[:inputs:inputs]
	for lane := range c.Task.Lanes {
		for _, column := range c.Columns[inputs:] {
			column.Name += laneSuffix(lane)
			columns = append(columns, column)
		}
	}
	return columns
}

func laneSuffix(lane int) string { return fmt.Sprintf("#%d", lane) }

// Suffixes are what the state columns have behind their names, lane by lane.
func (c Computation) Suffixes() []string {
	if len(c.Task.Lanes) == 0 {
		return []string{""}
	}
	var all []string
	for lane := range c.Task.Lanes {
		all = append(all, laneSuffix(lane))
	}
	return all
}

// StateColumns are the program's own, where the task's layout has them.
func (c Computation) StateColumns() []plugins.VertexColumn {
	columns := c.Task.Layout.Columns
	return slices.Clip(columns[len(columns)-len(c.Task.Program.State):])
}

// StateBytes is what a device has to tell others of its state, if all vertices are its share.
func (c Computation) StateBytes() (bytes uint64) {
	for _, column := range c.StateColumns() {
		bytes += column.Range.Length
	}
	return bytes + c.Task.Layout.Active.Length
}

// ResultBytes is what a copy of the results takes, 8 bytes a value, in so many lanes, and 4 a number of rows.
func (c Computation) ResultBytes(vertices uint64, lanes int) int64 {
	values := uint64(0)
	for _, column := range c.Results {
		values += column.Count(vertices)
	}
	bytes := 8 * int64(values) * int64(max(1, lanes))
	for _, r := range c.Rows {
		if !r.Given && !r.Kept && !r.Room {
			bytes += 4 * int64(r.Count(vertices))
		}
	}
	return bytes
}
