package execute

import "github.com/penstock-db/penstock/formats/value"

// kept is rows of some slots that an operator holds.
type kept struct {
	*tally
	slots  []int
	values []value.Value // of one row after the other
	count  int           // of rows: there may be no slots
}

func (f *frame) keep(operator string, slots []int) *kept {
	return &kept{tally: f.tally(operator), slots: slots}
}

// add copies the row that the frame has.
func (k *kept) add() (err error) {
	if k.values, err = grown(k.tally, k.values, len(k.slots)); err != nil {
		return err
	}
	from := len(k.values)
	for _, slot := range k.slots {
		k.values = append(k.values, k.row[slot])
	}
	k.count++
	return k.tally.add(contents(k.values[from:]))
}

// emitAll emits all rows, in order.
func (k *kept) emitAll(next emit) error {
	for i := range k.count {
		k.restore(i)
		if err := k.tick(); err != nil {
			return err
		}
		if err := k.pass(next); err != nil {
			return err
		}
	}
	return nil
}

// restore puts a row back into the frame.
func (k *kept) restore(i int) {
	for j, slot := range k.slots {
		k.row[slot] = k.values[i*len(k.slots)+j]
	}
}

// drop lets go of all rows.
func (k *kept) drop() {
	k.clear()
	k.values, k.count = nil, 0
}
