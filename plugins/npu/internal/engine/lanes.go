package engine

import (
	"google.golang.org/protobuf/proto"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/lane"
)

// openLanes makes a lane of each set of constants; one that has the columns as they are called
// where the task has none.
func openLanes(a *arena.Arena, task plugins.Task, active []uint64, n int) (lanes []*lane.Lane, err error) {
	found, err := kit.OpenColumns(a, task.Layout, n)
	if err != nil {
		return nil, err
	}
	if len(task.Lanes) == 0 {
		l, err := lane.New(task.Program, found, active, n)
		return []*lane.Lane{l}, err
	}
	for i, constants := range task.Lanes {
		spec := task.Program.With(constants...)
		if !proto.Equal(spec.Process.Checked, task.Program.Process.Checked) {
			return nil, plugins.Errorf(plugins.KindUnsupported, "lanes whose messages differ: %q depends on a constant",
				spec.Process.Source)
		}
		l, err := lane.New(spec, ofLane(found, spec, i), active, n)
		if err != nil {
			return nil, err
		}
		lanes = append(lanes, l)
	}
	return lanes, nil
}

// ofLane are the columns as lane i of a program sees them.
func ofLane(c kit.Columns, spec *algorithms.Program, i int) kit.Columns {
	own := kit.Columns{}
	for _, in := range lane.Inputs(spec) {
		own[in.Name] = c[in.Name]
	}
	for _, s := range spec.State {
		own[s.Name] = c[plugins.LaneColumn(s.Name, i)]
	}
	return own
}

// unite makes those vertices active that are active in some lane.
func unite(active []uint64, lanes []*lane.Lane) {
	if len(lanes) == 1 {
		return // which has the very same bitmap
	}
	clear(active)
	for _, l := range lanes {
		for i, word := range l.Active {
			active[i] |= word
		}
	}
}
