package core

import (
	"cmp"
	"slices"
)

// Forecast says how long the run will take with each option, and sorts them: the soonest first. Both devices work at the
// same time, so that the slower one counts. It returns what the rest's device would take alone.
func Forecast(options []Option, whole Work, rest, dense Rates) (alone float64) {
	for i := range options {
		o := &options[i]
		outside, inside := whole, whole
		outside.Edges, outside.Linked = whole.Edges-min(whole.Edges, o.Entries), 0
		inside.Edges, inside.Linked = o.Entries, o.Linked
		o.Seconds = max(rest.Seconds(outside), dense.Seconds(inside))
	}
	slices.SortStableFunc(options, func(a, b Option) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return rest.Seconds(whole)
}
