package host

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// maxSlots is how many chunks a streamed run has in the arena at once: one that the
// device works on, two being read, one that is read and waits.
const maxSlots = 4

// fit says how a run's chunks fit its budget.
type fit struct {
	resident bool
	all      uint64 // bytes of the budget that all chunks take together
	used     uint64 // bytes of the budget that the run may take, at most
	slots    []arena.Range
}

// fits decides between a resident and a streamed run and places the chunks, or refuses
// with a *BudgetError.
func (r *run) fits(p *placer) error {
	var largestSize int
	var largest uint64
	for _, c := range r.chunks {
		r.fit.all += c.device
		largest, largestSize = max(largest, c.device), max(largestSize, c.size)
	}
	all, one := r.kernel.Fixed+r.fit.all, r.kernel.Fixed+largest
	switch {
	case all <= r.budget && r.req.Schedule != scheduleWhole:
		r.placeAll(p)
	case r.task.Program == nil && r.req.Schedule == scheduleWhole:
		return &ScheduleError{Schedule: r.req.Schedule, Algorithm: r.req.name()}
	case r.task.Program == nil:
		return r.tooSmall("the whole graph, which "+r.req.name()+" needs at once,", all,
			"raise --device-memory to that, or choose a device with more memory")
	case one > r.budget:
		return r.tooSmall("the state and the largest chunk", one, fmt.Sprintf(
			"raise --device-memory to that, or to %s to keep the whole graph on the device", humanize.IBytes(all)))
	default:
		r.placeSlots(p, uint64(largestSize), largest)
	}
	r.used = p.used
	return nil
}

func (r *run) placeAll(p *placer) {
	r.fit.resident, r.fit.used = true, r.kernel.Fixed+r.fit.all
	for i := range r.chunks {
		r.chunks[i].at = p.place(uint64(r.chunks[i].size))
	}
}

// placeSlots makes as many slots as the budget has room for. What waits in a slot
// counts although it is not uploaded yet: to a device that reads in place it is the same memory.
func (r *run) placeSlots(p *placer, size, cost uint64) {
	n := uint64(min(maxSlots, len(r.chunks)))
	if cost > 0 {
		n = min(n, (r.budget-r.kernel.Fixed)/cost)
	}
	for range n {
		r.fit.slots = append(r.fit.slots, p.place(size))
	}
	r.fit.used = r.kernel.Fixed + n*cost
}

func (r *run) tooSmall(what string, need uint64, advice string) error {
	return &BudgetError{What: what, Need: need, Have: r.budget, Advice: advice}
}

// refused turns a device's own refusal into a *BudgetError: state and scratch alone are too much.
func (r *run) refused(err error) error {
	if plugins.KindOf(err) != plugins.KindBudget {
		return err
	}
	var columns uint64
	for _, c := range r.task.Layout.Columns {
		columns += c.Range.Length
	}
	return &BudgetError{What: "the state of " + r.req.name(), Need: columns + r.task.Layout.Active.Length,
		Have: r.budget, AtLeast: true, Advice: "raise --device-memory", Err: err}
}
