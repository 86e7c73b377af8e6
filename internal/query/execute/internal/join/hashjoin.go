// Package join holds the operators that run a second plan besides their input: for each row of it
// (Apply, Optional), after it (Union), or once (HashJoin).
package join

import (
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// joining is a HashJoin at work: the rows of its plan, by the value that they are joined on. Where these have no room,
// or are not worth a table yet, the plan is run again for each row.
type joining struct {
	*rows.Kept
	frame  *frame.Frame
	right  expression.Evaluator
	keys   *rows.Set // nil: there is no table
	last   []int     // by key: the last of its rows
	after  []int     // by row: the next one of the same key; of the last: the first
	runs   int
	full   bool        // there is no room for a table
	wanted value.Value // of the row for which the plan is run again
}

// errNoRoom ends the run of a plan whose rows have no room.
var errNoRoom = errors.New("execute: a table has no room")

// HashJoin joins the rows of its input with those of a plan, of which the live slots are kept, where left,
// of a row of the input, is equal to right, of a row of the plan. Its first run drops the table, for most joins have
// one run alone; from the second on it is kept, unless the graph changes in between. Once: the input of a run is one
// row, and the first makes no table.
func HashJoin(f *frame.Frame, input, plan frame.Input, left, right expression.Evaluator, live []int, once bool,
	next frame.Emit) frame.Emit {
	j := &joining{Kept: rows.Keep(f, "a join", live), frame: f, right: right}
	collecting := false
	inner := plan(func() error {
		if collecting {
			return j.collect()
		}
		return j.compare(next)
	})
	row := input(func() error {
		if j.keys == nil && !j.full && (!once || j.runs > 1 && !f.Writes) {
			collecting = true
			err := j.build(inner)
			if collecting = false; err != nil {
				return err
			}
		}
		v, err := left()
		if err != nil {
			return err
		}
		if j.keys == nil {
			j.wanted = v
			return inner()
		}
		return j.emitEqual(v, next)
	})
	return func() error {
		if j.runs++; j.runs == 1 || f.Writes {
			defer j.drop()
		}
		return row()
	}
}

// build makes the table, if there is room.
func (j *joining) build(collect frame.Emit) error {
	j.keys = rows.NewSet(1, j.Tally)
	err := collect()
	if errors.Is(err, errNoRoom) {
		j.full = true
		j.drop()
		return nil
	}
	return err
}

func (j *joining) drop() {
	j.Drop()
	j.keys, j.last, j.after = nil, nil, nil
}

// collect takes a row of the plan into the table.
func (j *joining) collect() error {
	v, err := j.right()
	if eq, known := value.Equal(v, v); err != nil || !eq || !known {
		return err // null and NaN equal nothing
	}
	row := []value.Value{v}
	if !j.Fits(j.keys.Needs(row) + j.AddNeeds() + budget.Growth(j.last, 1) + budget.Growth(j.after, 1)) {
		return errNoRoom
	}
	key, fresh, err := j.keys.Find(row)
	if err != nil {
		return err
	}
	if j.last, err = budget.Grown(j.Tally, j.last, 1); err != nil {
		return err
	}
	if j.after, err = budget.Grown(j.Tally, j.after, 1); err != nil {
		return err
	}
	if n := j.Len(); fresh {
		j.last, j.after = append(j.last, n), append(j.after, n)
	} else {
		last := j.last[key]
		j.after = append(j.after, j.after[last])
		j.after[last], j.last[key] = n, n
	}
	return j.Add()
}

func (j *joining) emitEqual(v value.Value, next frame.Emit) error {
	key, ok := j.keys.Lookup([]value.Value{v})
	if !ok {
		return j.frame.Tick()
	}
	for i, last := j.after[j.last[key]], j.last[key]; ; i = j.after[i] {
		j.Restore(i)
		if err := j.frame.Pass(next); err != nil || i == last {
			return err
		}
	}
}

// compare emits a row of the plan that is run again, if it is wanted.
func (j *joining) compare(next frame.Emit) error {
	v, err := j.right()
	if eq, known := value.Equal(j.wanted, v); err != nil || !eq || !known {
		return err
	}
	return next()
}
