// Package asked keeps what devices answered to what they were asked to plan. Where nothing runs by an answer, as in an
// estimate, they need not plan a task twice.
package asked

import (
	"reflect"

	"github.com/penstock-db/penstock/plugins"
)

// Compile has devices, whose state lies so, plan a task within a budget, where so many vertices have state. A budget of
// 0 is none.
type Compile func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan, error)

// Once is ask, by which each question is asked once. It is for one caller at a time.
func Once(ask Compile) Compile {
	var answers []answer
	return func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan, error) {
		q := question{task, layouts, vertices, budget}
		for _, a := range answers {
			if a.budget == budget && a.vertices == vertices && reflect.DeepEqual(a.question, q) {
				return a.plan, a.err
			}
		}
		p, err := ask(task, layouts, vertices, budget)
		answers = append(answers, answer{q, p, err})
		return p, err
	}
}

type question struct {
	task             plugins.Task
	layouts          []plugins.Layout
	vertices, budget uint64
}

type answer struct {
	question
	plan plugins.Plan
	err  error
}
