package rows

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Kept is rows of some slots that an operator holds.
type Kept struct {
	*budget.Tally
	frame  *frame.Frame
	slots  []int
	values []value.Value // of one row after the other
	count  int           // of rows: there may be no slots
}

// Keep holds no rows yet.
func Keep(f *frame.Frame, operator string, slots []int) *Kept {
	return &Kept{Tally: f.Budget.Tally(operator), frame: f, slots: slots}
}

// Len is the number of rows.
func (k *Kept) Len() int { return k.count }

// Add copies the row that the frame has.
func (k *Kept) Add() (err error) {
	if k.values, err = budget.Grown(k.Tally, k.values, len(k.slots)); err != nil {
		return err
	}
	from := len(k.values)
	for _, slot := range k.slots {
		k.values = append(k.values, k.frame.Row[slot])
	}
	k.count++
	return k.Tally.Add(budget.Contents(k.values[from:]))
}

// AddNeeds is what Add would charge.
func (k *Kept) AddNeeds() int64 {
	bytes := budget.Growth(k.values, len(k.slots))
	for _, slot := range k.slots {
		bytes += k.frame.Row[slot].Size() - budget.ValueBytes
	}
	return bytes
}

// Needs is what Add would charge for the slots of a row.
func (k *Kept) Needs(row []value.Value) int64 {
	return budget.Contents(row) + budget.Growth(k.values, len(row))
}

// EmitAll emits all rows, in order.
func (k *Kept) EmitAll(next frame.Emit) error {
	for i := range k.count {
		k.Restore(i)
		if err := k.frame.Tick(); err != nil {
			return err
		}
		if err := k.frame.Pass(next); err != nil {
			return err
		}
	}
	return nil
}

// Restore puts a row back into the frame.
func (k *Kept) Restore(i int) {
	for j, slot := range k.slots {
		k.frame.Row[slot] = k.values[i*len(k.slots)+j]
	}
}

// Drop lets go of all rows.
func (k *Kept) Drop() {
	k.Clear()
	k.values, k.count = nil, 0
}
