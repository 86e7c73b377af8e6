package scan

import (
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Kept is the nodes that a scan has found, for the rows for which it would find the same ones again. They are kept as
// long as they take no more than half of what the run may still hold; else each row has a scan of its own.
type Kept struct {
	*budget.Tally
	ids     []uint64
	runs    int
	from    int  // the run from which on nodes are kept
	keeping bool // in this run
	whole   bool // ids are all that the scan finds
	full    bool // there are too many
}

// Keep keeps nothing yet. Once: the scan may run for a single row; it keeps nothing until it has run again.
func Keep(f *frame.Frame, once bool) *Kept {
	k := &Kept{Tally: f.Budget.Tally("nodes of a scan"), from: 1}
	if once {
		k.from = 2
	}
	return k
}

// run emits the nodes that find finds, or those that are kept of a run before.
func (k *Kept) run(w *walk, each func(id uint64) bool, find func(each func(id uint64) bool) error) error {
	if k.whole {
		for _, id := range k.ids {
			if !each(id) {
				break
			}
		}
		return w.failed
	}
	if k.runs++; k.runs < k.from || k.full {
		return frame.FirstOf(find(each), w.failed)
	}
	k.ids, k.keeping = k.ids[:0], true
	err := frame.FirstOf(find(func(id uint64) bool {
		k.add(id)
		return each(id)
	}), w.failed)
	k.whole = k.keeping && err == nil
	return err
}

// add keeps a node, or none from now on, where there is no room.
func (k *Kept) add(id uint64) {
	if !k.keeping {
		return
	}
	if more := budget.Growth(k.ids, 1); more == 0 || k.WithinHalf(more) && k.Fits(more) {
		if ids, err := budget.Grown(k.Tally, k.ids, 1); err == nil {
			k.ids = append(ids, id)
			return
		}
	}
	k.ids, k.keeping, k.full = nil, false, true
	k.Clear()
}
