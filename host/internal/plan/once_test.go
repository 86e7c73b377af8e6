package plan

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// Devices are asked each question once, and what comes of it is what would if they were asked each time.
func TestOnce_AsksEachQuestionOnce(t *testing.T) {
	program := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}
	for _, schedule := range []string{"auto", "whole", "subway", "scaph", "neugraph"} {
		for _, budget := range []uint64{1, 1500, 30_000, 7 * 64 << 10, 11 * 64 << 10} {
			d := &device{able: plugins.Plan{Settles: true, ActiveRows: true, Intervals: true, Restores: true}}
			terms := terms(t, schedule, program, budget, d)
			asked := map[string]int{}
			count := func(of string, task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
				asked[fmt.Sprint(of, task, layouts, budget)]++
				return d.compile(task, layouts, budget)
			}
			terms.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
				return count("whole", task, layouts, budget)
			}
			terms.CompileCell = func(task plugins.Task, layouts []plugins.Layout, vertices, budget uint64) (plugins.Plan,
				error) {
				return count(fmt.Sprint(vertices), task, layouts, budget)
			}
			outcome := func(terms Terms) []any {
				p, err := Agree(terms)
				var needs any
				if p != nil {
					needs = p.Needs()
				}
				least, leastErr := LeastBudget(terms)
				return []any{needs, fmt.Sprint(err), least, leastErr}
			}
			want := outcome(terms)
			clear(asked)
			if got := outcome(Once(terms)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s within %d: %v; asked each time, %v", schedule, budget, got, want)
			}
			for question, times := range asked {
				if times > 1 {
					t.Errorf("%s within %d: asked %d times: %s", schedule, budget, times, question)
				}
			}
		}
	}
}
