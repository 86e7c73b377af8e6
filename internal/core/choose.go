package core

import (
	"cmp"
	"slices"
)

// Forecast says how long the run will take with each option, and sorts them: the soonest first. It is told what each
// device takes for work. Both work at the same time, so that the slower one counts.
func Forecast(options []Option, whole Work, rest, dense func(Work) float64) {
	for i := range options {
		o := &options[i]
		outside, inside := whole, whole
		outside.Edges -= min(whole.Edges, o.Entries)
		inside.Edges, inside.Linked = o.Entries, o.Linked
		o.Seconds = max(rest(outside), dense(inside))
	}
	slices.SortStableFunc(options, func(a, b Option) int { return cmp.Compare(a.Seconds, b.Seconds) })
}
