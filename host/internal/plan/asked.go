package plan

import (
	"reflect"

	"github.com/penstock-db/penstock/plugins"
)

// Asked is what devices answered to what they were asked to plan. Where nothing runs by an answer, as in an estimate, they
// need not plan a task twice.
type Asked struct {
	whole, cells answers
}

// Once is t, whose devices are asked each question once. What they have planned last may be anything.
func (a *Asked) Once(t Terms) Terms {
	whole, cell := t.Compile, t.CompileCell
	t.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
		return a.whole.to(question{task: task, layouts: layouts, budget: budget},
			func() (plugins.Plan, error) { return whole(task, layouts, budget) })
	}
	if cell == nil {
		return t
	}
	t.CompileCell = func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan, error) {
		return a.cells.to(question{task, layouts, vertices, budget},
			func() (plugins.Plan, error) { return cell(task, layouts, vertices, budget) })
	}
	return t
}

type answers []answer

type answer struct {
	question
	plan plugins.Plan
	err  error
}

type question struct {
	task     plugins.Task
	layouts  []plugins.Layout
	vertices uint64
	budget   uint64
}

// to is the answer to a question, for which ask asks devices where it is new.
func (a *answers) to(q question, ask func() (plugins.Plan, error)) (plugins.Plan, error) {
	for _, known := range *a {
		if known.budget == q.budget && known.vertices == q.vertices && reflect.DeepEqual(known.question, q) {
			return known.plan, known.err
		}
	}
	p, err := ask()
	*a = append(*a, answer{q, p, err})
	return p, err
}
