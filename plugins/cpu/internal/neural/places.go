package neural

import (
	"cmp"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// places says from which number of a vertex's on each value lies that stages store, and how many numbers that takes.
// What is needed at different times lies in the same place: a value is needed from the stage that stores it to the last
// that reads it, and a root to the end.
func places(stages []dataflow.Stage, roots []*dataflow.Value) (at map[*dataflow.Value]int, numbers int) {
	last := lastReads(stages)
	for _, root := range roots {
		last[root] = len(stages)
	}
	at = map[*dataflow.Value]int{}
	for i, stage := range stages {
		there := slices.DeleteFunc(slices.Collect(maps.Keys(at)), func(v *dataflow.Value) bool { return last[v] < i })
		for _, v := range stage.Stored {
			at[v] = gap(there, at, v.Width)
			there = append(there, v)
			numbers = max(numbers, at[v]+v.Width)
		}
	}
	return at, numbers
}

// gap is the first place where so many numbers are free.
func gap(there []*dataflow.Value, at map[*dataflow.Value]int, width int) (from int) {
	slices.SortFunc(there, func(a, b *dataflow.Value) int { return cmp.Compare(at[a], at[b]) })
	for _, v := range there {
		if from+width <= at[v] {
			break
		}
		from = max(from, at[v]+v.Width)
	}
	return from
}

// lastReads finds the last stage that reads each value.
func lastReads(stages []dataflow.Stage) map[*dataflow.Value]int {
	last := map[*dataflow.Value]int{}
	for i, stage := range stages {
		lists := [][]*dataflow.Value{stage.Sums}
		for _, w := range stage.Waves {
			lists = append(lists, w.Edges, w.Gathers, w.Rows)
		}
		for _, v := range slices.Concat(lists...) {
			for _, a := range v.Args {
				last[a] = i
			}
		}
	}
	return last
}
