package host

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// Lanes: of several sources a device may take many at once (Task.Lanes), each with state columns of its own.
//
//	id │ rank#0 │ rank#1 │ … │ active
//
// A run takes as many of the request's sources as the device has lanes and room for; where that is one, it is
// a run as any other.

// chooseLanes finds out how many of the sources the device would take at once. One that is not running yet is started, since
// the vertex columns go by its answer; the built-in one is known to have no lanes.
func (r *run) chooseLanes(d *device) error {
	if len(r.req.Sources) < 2 || len(r.devices) > 1 || d.spec.BuiltIn() || r.req.Resume {
		return nil
	}
	switch {
	case r.warm != nil:
		d.about = r.warm.device
	default:
		if err := r.launch(r.ctx, d); err != nil {
			return err
		}
	}
	r.lanes = min(d.about.Lanes, len(r.req.Sources))
	if err := r.takeSources(r.lanes); err != nil {
		return err
	}
	r.occupied = r.placeColumns(0)
	r.dropTooSmall()
	return nil
}

// takeSources has the run see to the first n sources, or to one.
func (r *run) takeSources(n int) error {
	if len(r.req.Sources) == 0 {
		return nil
	}
	r.sources, r.task.Lanes = r.req.Sources[:max(n, 1)], nil
	if n < 2 {
		return nil
	}
	for _, source := range r.sources {
		id, err := r.vertexID(source)
		if err != nil {
			return err
		}
		r.task.Lanes = append(r.task.Lanes, []algorithms.Constant{{Name: sourceName, Type: algorithms.VertexID, Int: id}})
	}
	return nil
}

// laneColumns are the task's columns: the inputs, then state or results, in each lane.
func (r *run) laneColumns() []algorithms.Column {
	if len(r.task.Lanes) == 0 {
		return r.columns
	}
	inputs := len(r.columns) - len(r.task.Program.State)
	columns := r.columns[:inputs:inputs]
	for lane := range r.task.Lanes {
		for _, c := range r.columns[inputs:] {
			c.Name += laneSuffix(lane)
			columns = append(columns, c)
		}
	}
	return columns
}

func laneSuffix(lane int) string { return fmt.Sprintf("#%d", lane) }

// suffixes are what the state columns have behind their names, lane by lane.
func (r *run) suffixes() []string {
	if len(r.task.Lanes) == 0 {
		return []string{""}
	}
	var all []string
	for lane := range r.task.Lanes {
		all = append(all, laneSuffix(lane))
	}
	return all
}

// agreeOnLanes agrees on as many lanes as the device has room for, all chunks beside them; half as many each time it
// refuses. It tells whether there are at least two.
func (r *run) agreeOnLanes() (agreed bool, err error) {
	for n := r.lanes; n > 1; n /= 2 {
		if err := r.takeSources(n); err != nil {
			return false, err
		}
		r.placeColumns(r.warm.columns)
		err := r.agreeOn()
		if err == nil && r.fit.resident {
			return true, nil
		}
		if err != nil && !refusesLanes(err) {
			return false, err
		}
	}
	if r.lanes > 1 {
		err = r.takeSources(1)
		r.placeColumns(r.warm.columns)
	}
	return false, err
}

// refusesLanes tells whether fewer lanes might do.
func refusesLanes(err error) bool {
	var over *BudgetError
	return errors.As(err, &over) || plugins.KindOf(err) == plugins.KindUnsupported
}
