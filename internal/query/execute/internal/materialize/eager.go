// Package materialize holds the operators that take all rows of their input before they give the first:
// Sort, and Eager, which keeps what reads and what writes apart. Rows that memory has no room for lie in
// temporary files.
package materialize

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// waiting is the rows of an Eager: the first in memory, those that it has no room for in a file.
type waiting struct {
	*rows.Kept
	frame *frame.Frame
	slots []int
	rest  *rows.Spool // nil: there are none
	row   []value.Value
}

// Eager takes all rows, of which the live slots are kept, before it emits the first.
func Eager(f *frame.Frame, input frame.Input, live []int, next frame.Emit) frame.Emit {
	w := &waiting{Kept: rows.Keep(f, "a change of what is being read", live), frame: f, slots: live,
		row: make([]value.Value, len(live))}
	run := input(w.take)
	return func() error {
		defer w.drop()
		if err := run(); err != nil {
			return err
		}
		if err := w.EmitAll(next); err != nil {
			return err
		}
		return w.emitRest(next)
	}
}

func (w *waiting) take() (err error) {
	for i, slot := range w.slots {
		w.row[i] = w.frame.Row[slot]
	}
	if w.rest == nil && w.Fits(w.Needs(w.row)) {
		return w.Add()
	}
	if w.rest == nil {
		if w.rest, err = rows.NewSpool(w.frame.TempDir, len(w.row)); err != nil {
			return err
		}
	}
	if err := w.frame.Tick(); err != nil {
		return err
	}
	return w.rest.Add(w.row)
}

func (w *waiting) emitRest(next frame.Emit) error {
	if w.rest == nil {
		return nil
	}
	err := w.rest.Rewind()
	for err == nil {
		var row []value.Value
		if row, err = w.rest.Next(); row == nil || err != nil {
			break
		}
		for i, slot := range w.slots {
			w.frame.Row[slot] = row[i]
		}
		if err = w.frame.Tick(); err == nil {
			err = w.frame.Pass(next)
		}
	}
	return err
}

func (w *waiting) drop() {
	if w.rest != nil {
		w.rest.Drop()
		w.rest = nil
	}
	w.Drop()
}
