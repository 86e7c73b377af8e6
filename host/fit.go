package host

import (
	"fmt"
	"os"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// maxSlots is how many chunks a streamed run has in the arena at once: one that the
// device works on, two being read, one that is read and waits.
const maxSlots = 4

// fit says how a run's chunks fit its budget.
type fit struct {
	resident bool
	scarce   bool   // what is read would not stay in the system's cache until it is read again
	all      uint64 // bytes of the budget that all chunks take together
	minimum  uint64 // the least budget that will do
	used     uint64 // bytes of the budget that the run may take, at most
	slots    []arena.Range
	kept     int // of a streamed run, so many chunks, the first, stay on the device
}

// fits decides between a resident and a streamed run and places the chunks, or refuses
// with a *BudgetError.
func (r *run) fits() error {
	var largestSize int
	var largest uint64
	for _, c := range r.chunks {
		r.fit.all += c.device
		largest, largestSize = max(largest, c.device), max(largestSize, c.size)
	}
	all := r.kernel.Fixed + r.fit.all
	if r.fit.minimum = r.kernel.Fixed + largest; r.task.Program == nil {
		r.fit.minimum = all // a procedure needs every chunk at once
	}
	switch {
	case r.budget < r.fit.minimum:
		return r.tooSmall(all)
	case all <= r.budget && r.req.Schedule != scheduleWhole:
		r.placeAll()
	default:
		r.placeSlots(uint64(largestSize), largest)
	}
	return nil
}

// placeAll gives every chunk its own place. Chunks of earlier runs stay while there is
// room for both.
func (r *run) placeAll() {
	r.fit.resident, r.fit.used = true, r.kernel.Fixed+r.fit.all
	r.used = r.occupied
	for i, c := range r.chunks {
		r.chunks[i].at = r.warm.places[c.name()]
		r.used += aligned(uint64(c.size))
	}
	if r.fit.used+r.warm.spareBytes(r.chunks) > r.budget {
		r.warm.shed(r.chunks)
	}
}

// placeSlots makes as many slots as the budget has room for. What waits in a slot
// counts although it is not uploaded yet: to a device that reads in place it is the same memory.
func (r *run) placeSlots(size, cost uint64) {
	r.warm.shed(nil)
	r.warm.leaveFiles()
	n := uint64(min(maxSlots, len(r.chunks)))
	if cost > 0 {
		n = min(n, (r.budget-r.kernel.Fixed)/cost)
	}
	length := slotBytes(size)
	for i := range n {
		r.fit.slots = append(r.fit.slots, arena.Range{Offset: r.warm.columns - (i+1)*length, Length: length})
	}
	r.fit.used = r.kernel.Fixed + n*cost
	r.fit.scarce = r.engine != nil && r.engine.memory > 0 && r.graphBytes() > r.engine.memory/2
	r.used = r.occupied + n*length
	if r.req.Schedule != scheduleWhole {
		r.keepSome()
	}
}

// keepSome gives the first chunks places of their own, as far as the budget goes beside the
// slots: they stay on the device from one iteration to the next. Being the first they come
// before all others in every iteration, so that the order of sums stays the same.
func (r *run) keepSome() {
	var p placer
	for i, c := range r.chunks {
		if r.fit.used+c.device > r.budget {
			return
		}
		r.chunks[i].at = p.place(slotBytes(uint64(c.size)))
		r.fit.kept = i + 1
		r.fit.used += c.device
		r.used += r.chunks[i].at.Length
	}
}

// slotBytes is so much that a chunk of this size can be read in place past the system's
// cache, in each of several slots that follow each other.
func slotBytes(size uint64) uint64 { return wholePages(size + store.UncachedRoom) }

func wholePages(bytes uint64) uint64 {
	page := uint64(os.Getpagesize())
	return (bytes + page - 1) / page * page
}

// tooSmall says what is missing; all would keep the whole graph on the device.
func (r *run) tooSmall(all uint64) error {
	e := &BudgetError{What: "its state beside the largest chunk", Need: r.fit.minimum, Have: r.budget,
		Advice: fmt.Sprintf("give --device-memory %dB", r.fit.minimum)}
	if r.task.Program == nil {
		e.What = "the whole graph, which it needs at once,"
		e.Advice += ", or choose a device with more memory"
	} else if all > r.fit.minimum {
		e.Advice += fmt.Sprintf(", or %dB to keep the whole graph on the device", all)
	}
	if r.device.Memory > 0 && r.fit.minimum > r.device.Memory {
		e.Advice = "choose a device with more memory: this is more than it has"
	}
	return e
}

// refused turns a device's own refusal into a *BudgetError. The device cannot say which
// budget would do; what the vertex columns take is a lower bound.
func (r *run) refused(err error) error {
	if plugins.KindOf(err) != plugins.KindBudget {
		return err
	}
	var columns uint64
	for _, c := range r.task.Layout.Columns {
		columns += c.Range.Length
	}
	return &BudgetError{What: "its state", Need: max(columns+r.task.Layout.Active.Length, r.budget+1),
		Have: r.budget, AtLeast: true, Advice: "raise --device-memory", Err: err}
}
