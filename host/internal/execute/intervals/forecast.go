package intervals

import (
	"slices"
	"time"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
)

// forecast says what iterations will take by what those before took: so much a message, and so much a byte, by least
// squares.
type forecast struct {
	mm, mb, bb, mt, bt float64 // sums of products: messages, bytes, seconds
}

// work is what an iteration has the device do.
type work struct {
	messages int
	bytes    uint64 // of edges
}

func (f *forecast) learn(w work, took time.Duration) {
	m, b, t := float64(w.messages), float64(w.bytes), took.Seconds()
	f.mm, f.mb, f.bb, f.mt, f.bt = f.mm+m*m, f.mb+m*b, f.bb+b*b, f.mt+m*t, f.bt+b*t
}

// seconds is what work will take; 0: not known.
func (f *forecast) seconds(w work) float64 {
	if f.mm == 0 {
		return 0
	}
	message, byte := f.mt/f.mm, 0.0 // messages alone
	if det := f.mm*f.bb - f.mb*f.mb; det > 1e-9*f.mm*f.bb {
		m, b := (f.mt*f.bb-f.bt*f.mb)/det, (f.bt*f.mm-f.mt*f.mb)/det
		switch {
		case m >= 0 && b >= 0:
			message, byte = m, b
		case m < 0:
			message, byte = 0, f.bt/f.bb
		}
	}
	return message*float64(w.messages) + byte*float64(w.bytes)
}

// expect is what an iteration will have the device do: with the cells of which a source may be active.
func (e *executor) expect() (w work) {
	for j, column := range e.cells.columns {
		if e.entire() && !slices.ContainsFunc(column, func(c cell) bool { return e.mayChange(j, c) }) {
			continue // it rests
		}
		sent := false
		for _, cell := range column {
			if e.maySend(cell) {
				sent = true
				w.messages, w.bytes = w.messages+len(cell.pieces), w.bytes+cell.edges
			}
		}
		if !sent && !e.Plan.Stays() {
			w.messages++
		}
	}
	return w
}

// because says what is expected of an iteration.
func (e *executor) because(w work) {
	rule := "cells with an active source"
	if e.entire() {
		rule = "columns with a source that has changed"
	}
	e.Progress.Because(schedule.Reason{Rule: rule, Bytes: w.bytes, Predicted: e.known.seconds(w)})
}

// whole is what an iteration takes with all vertices active.
func (e *executor) whole() (cost report.IntervalCost) {
	sources := uint64(0)
	for _, column := range e.cells.columns {
		cost.Cells += uint64(len(column))
		for _, cell := range column {
			sources += cell.count
		}
	}
	cost.Edges, cost.State = e.cells.edges, plan.Moved(e.Plan, cost.Cells, sources)
	return cost
}
