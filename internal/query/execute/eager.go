package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// waiting is the rows of an Eager: the first in memory, those that it has no room for in a file.
type waiting struct {
	*kept
	rest *spool // nil: there are none
	row  []value.Value
}

func (b *builder) eager(o *plan.Eager, next emit) emit {
	w := &waiting{kept: b.keep("a change of what is being read", o.Live), row: make([]value.Value, len(o.Live))}
	run := b.operator(o.Input, w.take)
	return func() error {
		defer w.drop()
		if err := run(); err != nil {
			return err
		}
		if err := w.emitAll(next); err != nil {
			return err
		}
		return w.emitRest(next)
	}
}

func (w *waiting) take() (err error) {
	for i, slot := range w.slots {
		w.row[i] = w.frame.row[slot]
	}
	if w.rest == nil && w.fits(contents(w.row)+growth(w.values, len(w.row))) {
		return w.add()
	}
	if w.rest == nil {
		if w.rest, err = w.newSpool(len(w.row)); err != nil {
			return err
		}
	}
	if err := w.tick(); err != nil {
		return err
	}
	return w.rest.add(w.row)
}

func (w *waiting) emitRest(next emit) error {
	if w.rest == nil {
		return nil
	}
	err := w.rest.rewind()
	for err == nil {
		var row []value.Value
		if row, err = w.rest.next(); row == nil || err != nil {
			break
		}
		for i, slot := range w.slots {
			w.frame.row[slot] = row[i]
		}
		if err = w.tick(); err == nil {
			err = w.pass(next)
		}
	}
	return err
}

func (w *waiting) drop() {
	if w.rest != nil {
		w.rest.drop()
		w.rest = nil
	}
	w.kept.drop()
}
