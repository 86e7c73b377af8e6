// Package join holds the operators that run a second plan besides their input: for each row of it
// (Apply, Optional), after it (Union), or once (HashJoin).
package join

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// joining is a HashJoin at work: the rows of its plan, by the value that they are joined on.
type joining struct {
	*rows.Kept
	frame  *frame.Frame
	right  expression.Evaluator
	keys   *rows.Set
	last   []int // by key: the last of its rows
	before []int // by row: the one before of the same key; < 0: none
}

// HashJoin joins the rows of its input with those of a plan, of which the live slots are kept, where left,
// of a row of the input, is equal to right, of a row of the plan.
func HashJoin(f *frame.Frame, input, plan frame.Input, left, right expression.Evaluator, live []int,
	next frame.Emit) frame.Emit {
	j := &joining{Kept: rows.Keep(f, "a join", live), frame: f, right: right}
	collect := plan(j.collect)
	run := input(func() error {
		if j.keys == nil {
			j.keys = rows.NewSet(1, j.Tally)
			if err := collect(); err != nil {
				return err
			}
		}
		v, err := left()
		if err != nil {
			return err
		}
		return j.emitEqual(v, next)
	})
	return func() error {
		defer j.Drop()
		j.keys, j.last, j.before = nil, nil, nil
		return run()
	}
}

func (j *joining) collect() error {
	v, err := j.right()
	if eq, known := value.Equal(v, v); err != nil || !eq || !known {
		return err // null and NaN equal nothing
	}
	key, fresh, err := j.keys.Find([]value.Value{v})
	if err != nil {
		return err
	}
	if j.last, err = budget.Grown(j.Tally, j.last, 1); err != nil {
		return err
	}
	if j.before, err = budget.Grown(j.Tally, j.before, 1); err != nil {
		return err
	}
	if fresh {
		j.last = append(j.last, -1)
	}
	j.before = append(j.before, j.last[key])
	j.last[key] = j.Len()
	return j.Add()
}

func (j *joining) emitEqual(v value.Value, next frame.Emit) error {
	key, ok := j.keys.Lookup([]value.Value{v})
	if !ok {
		return j.frame.Tick()
	}
	for i := j.last[key]; i >= 0; i = j.before[i] {
		j.Restore(i)
		if err := j.frame.Pass(next); err != nil {
			return err
		}
	}
	return nil
}
