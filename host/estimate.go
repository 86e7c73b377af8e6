package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/store"
)

// Estimate tells what Run would take with the same request, and fails as it would,
// without running: the device is started and compiles, and no chunk is read.
func Estimate(ctx context.Context, snap *store.Snapshot, req Request) (*Needs, error) {
	r := newRun(ctx, snap, req, Events{})
	r.estimating = true
	defer r.close()
	needs, err := r.estimate()
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", r.req.name(), snap.Manifest().Graph, r.cause(err))
	}
	return needs, nil
}

func (r *run) estimate() (*Needs, error) {
	for _, step := range []func() error{r.plan, r.open} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	needs := r.needs()
	if r.split != nil {
		return &needs, nil // all chunks stay on the devices
	}
	var err error
	needs.Schedules, err = r.alternatives()
	return &needs, err
}

// alternatives agrees with the device on the run by each schedule, in turn.
func (r *run) alternatives() (all []Alternative, err error) {
	for _, name := range Schedules {
		r.req.Schedule = name
		if r.policy, err = r.req.policy(); err != nil {
			return nil, err
		}
		a := Alternative{Name: name}
		if err := r.agree(); refuses(err) {
			a.Refused = err.Error()
		} else if err != nil {
			return nil, err
		} else {
			needs := r.needs()
			a.Needs = &needs
		}
		all = append(all, a)
	}
	return all, nil
}

// refuses tells whether an error says that a run can be only otherwise.
func refuses(err error) bool {
	var schedule *ScheduleError
	var budget *BudgetError
	return errors.As(err, &schedule) || errors.As(err, &budget)
}

func (r *run) needs() Needs {
	n := Needs{
		Schedule: r.schedule(), Why: r.explain(), Kernel: r.kernel.Kernel, Chunks: len(r.chunks), PerIteration: !r.fit.resident,
		Host: r.used, Device: r.fit.used, State: r.kernel.Fixed, Budget: r.budget,
		Minimum: r.fit.minimum, Resident: r.kernel.Fixed + r.fit.all,
	}
	for i, c := range r.chunks {
		n.Disk += r.cells() * uint64(c.info.Bytes)
		n.Transfer += r.mostSent(c)
		if !r.fit.resident && (r.kernel.ActiveRows || r.policy.Needs.Grid || c.device > r.fit.capacity) {
			n.Disk += r.mostSent(c) // what is cut out is read again
		}
		if i < r.fit.kept {
			n.Stays += uint64(c.size)
		}
	}
	if r.split != nil {
		n.Core = r.core
	} else if others := uint64(len(r.devices) - 1); others > 0 {
		n.Forwarded, n.Exchanged = others*n.Transfer, others*r.stateBytes()
	}
	return n
}

// mostSent is what the device is given of a chunk in an iteration, at most. Each of its pieces
// has a header, and may have a list of each vertex, of 8 bytes and its edges.
func (r *run) mostSent(c piece) uint64 {
	pieces, lists := r.cells(), uint64(c.size)+4*c.info.Rows.Count
	if pieces > 1 {
		lists += pieces * 8 * c.info.Rows.Count
	}
	if c.device > r.fit.capacity || pieces > 1 && lists+r.partRoom() > r.fit.capacity { // so are two pieces more than one slot holds
		pieces += 2 * lists / (max(r.fit.capacity, r.partRoom()+1) - r.partRoom())
	}
	if r.fit.tile > 0 { // or than one tile
		pieces += 1 + 2*lists/(r.fit.tile-r.partRoom())
	}
	if r.fit.resident || pieces == 1 {
		return uint64(c.size)
	}
	return lists + pieces*r.partRoom()
}

// cells is into how many parts a schedule with a grid cuts a chunk by columns, at most: as many as
// there are strips of rows, two of which, one after the other, are more than the slots hold.
func (r *run) cells() uint64 {
	slots := uint64(len(r.fit.slots)) * r.fit.capacity
	if !r.policy.Needs.Grid || r.fit.resident || slots == 0 {
		return 1
	}
	return 1 + 2*r.fit.all/slots
}
