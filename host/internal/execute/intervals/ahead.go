package intervals

// ahead is the first cell of a column that has an active source. Its sources have been chosen while the device computed
// the column before.
type ahead struct {
	column, cell int
	active       int // none: the column has no such cell
	known        bool
}

// lookAhead chooses the sources of a column's first cell, while the device is at work, of which nothing waits for them.
// All columns of an iteration read the same state.
func (e *executor) lookAhead(column int) error {
	e.ahead = ahead{}
	if e.underway.done == nil || column == e.Plan.Intervals.Count {
		return nil
	}
	a := ahead{column: column, known: true}
	for _, cell := range e.cells.columns[column] {
		active, err := e.choose(cell)
		if err != nil {
			return err
		}
		if a.active = active; active > 0 {
			break
		}
		a.cell++
	}
	e.ahead = a
	e.done.Ahead++
	return nil
}

// chosenOf chooses the sources of a cell, unless that has been done, and tells how many are active.
func (e *executor) chosenOf(column, cell int) (active int, err error) {
	switch a := e.ahead; {
	case !a.known || a.column != column || cell > a.cell:
		return e.choose(e.cells.columns[column][cell])
	case cell == a.cell:
		return a.active, nil
	}
	return 0, nil
}
