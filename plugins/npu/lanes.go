package npu

import (
	"google.golang.org/protobuf/proto"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// maxLanes bounds what a session does at once: beyond it a step takes as much longer as there are more lanes.
const maxLanes = 256

// openLanes makes a lane of each set of constants; one that has the columns as they are called
// where the task has none.
func (p *program) openLanes(job plugins.Job, task plugins.Task) error {
	found, err := kit.OpenColumns(job.Arena, task.Layout, p.n)
	if err == nil {
		p.active, err = kit.OpenBitmap(job.Arena, task.Layout.Active, p.n)
	}
	if err != nil {
		return err
	}
	if len(task.Lanes) == 0 {
		return p.openLane(p.spec, found)
	}
	for i, constants := range task.Lanes {
		spec := p.spec.With(constants...)
		if !proto.Equal(spec.Process.Checked, p.spec.Process.Checked) {
			return plugins.Errorf(plugins.KindUnsupported, "lanes whose messages differ: %q depends on a constant", spec.Process.Source)
		}
		if err := p.openLane(spec, ofLane(found, spec, i)); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) openLane(spec *algorithms.Program, found kit.Columns) error {
	l, err := newLane(spec, found, p.n)
	if err == nil {
		l.active = p.active
		p.lanes = append(p.lanes, l)
	}
	return err
}

// ofLane are the columns as lane i of a program sees them.
func ofLane(c kit.Columns, spec *algorithms.Program, lane int) kit.Columns {
	own := kit.Columns{}
	for _, in := range inputs(spec) {
		own[in.Name] = c[in.Name]
	}
	for _, s := range spec.State {
		own[s.Name] = c[plugins.LaneColumn(s.Name, lane)]
	}
	return own
}

// unite makes those active who are in some lane.
func (p *program) unite() {
	if len(p.lanes) == 1 {
		return // which has the very same bitmap
	}
	clear(p.active)
	for _, l := range p.lanes {
		for i, word := range l.active {
			p.active[i] |= word
		}
	}
}
