package intervals

// ahead is the first cell of a column that has an active source. Its sources have been chosen while the device computed
// the column before.
type ahead struct {
	column, cell int
	active       int // none: the column has no such cell
	known        bool
}

// lookAhead chooses the sources of a column's first cell, while the device is at work, of which nothing waits for them.
// All columns of an iteration read the same state, unless it is in place: then one waits for those before it.
func (o *owner) lookAhead(column int) error {
	o.ahead = ahead{}
	if o.done == nil || o.inPlace || column > o.mine[len(o.mine)-1] {
		return nil
	}
	a := ahead{column: column, known: true}
	for _, cell := range o.cells.columns[column] {
		active, err := o.choose(column, cell)
		if err != nil {
			return err
		}
		if a.active = active; active > 0 {
			break
		}
		a.cell++
	}
	o.ahead = a
	o.counts.Ahead++
	return nil
}

// chosenOf chooses the sources of a cell, unless that has been done, and tells how many are active.
func (o *owner) chosenOf(column, cell int) (active int, err error) {
	switch a := o.ahead; {
	case !a.known || a.column != column || cell > a.cell:
		return o.choose(column, o.cells.columns[column][cell])
	case cell == a.cell:
		return a.active, nil
	}
	return 0, nil
}
