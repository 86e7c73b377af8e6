package execute

import "github.com/penstock-db/penstock/formats/value"

// kept is rows of some slots that an operator holds.
type kept struct {
	*frame
	operator string
	slots    []int
	values   []value.Value // of one row after the other
	count    int           // of rows: there may be no slots
	bytes    int64
}

func (f *frame) keep(operator string, slots []int) *kept {
	return &kept{frame: f, operator: operator, slots: slots}
}

// add copies the row that the frame has.
func (k *kept) add() error {
	from := len(k.values)
	for _, slot := range k.slots {
		k.values = append(k.values, k.row[slot])
	}
	bytes := sizes(k.values[from:])
	if err := k.hold(k.operator, bytes); err != nil {
		return err
	}
	k.bytes += bytes
	k.count++
	return nil
}

// emitAll emits all rows, in order.
func (k *kept) emitAll(next emit) error {
	for i := range k.count {
		k.restore(i)
		if err := k.tick(); err != nil {
			return err
		}
		if err := next(); err != nil {
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
	k.release(k.bytes)
	k.values, k.count, k.bytes = nil, 0, 0
}
