package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// joining is a HashJoin at work: the rows of its plan, by the value that they are joined on.
type joining struct {
	*kept
	right  evaluator
	keys   *set
	last   []int // by key: the last of its rows
	before []int // by row: the one before of the same key; < 0: none
}

func (b *builder) hashJoin(o *plan.HashJoin, next emit) emit {
	j := &joining{kept: b.keep("a join", o.Live), right: b.expression(o.Right)}
	left := b.expression(o.Left)
	collect := b.operator(o.Plan, j.collect)
	run := b.operator(o.Input, func() error {
		if j.keys == nil {
			j.keys = newSet(1, j.tally)
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
		defer j.drop()
		j.keys, j.last, j.before = nil, nil, nil
		return run()
	}
}

func (j *joining) collect() error {
	v, err := j.right()
	if eq, known := value.Equal(v, v); err != nil || !eq || !known {
		return err // null and NaN equal nothing
	}
	key, fresh, err := j.keys.find([]value.Value{v})
	if err != nil {
		return err
	}
	if j.last, err = grown(j.tally, j.last, 1); err != nil {
		return err
	}
	if j.before, err = grown(j.tally, j.before, 1); err != nil {
		return err
	}
	if fresh {
		j.last = append(j.last, -1)
	}
	j.before = append(j.before, j.last[key])
	j.last[key] = j.count
	return j.add()
}

func (j *joining) emitEqual(v value.Value, next emit) error {
	key, ok := j.keys.lookup([]value.Value{v})
	if !ok {
		return j.tick()
	}
	for i := j.last[key]; i >= 0; i = j.before[i] {
		j.restore(i)
		if err := j.pass(next); err != nil {
			return err
		}
	}
	return nil
}
