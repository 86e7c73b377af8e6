package lane

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Start evaluates the initial state and the first active set.
func (l *Lane) Start() {
	evaluation.Strips(0, l.n, func(from, to int) {
		m := l.code.init.Run(0, from, to)
		for i, state := range l.State {
			state.Slice(from, to).Copy(m.Output(i, to-from))
		}
		l.firstActive(from, to)
	})
	l.Change = 0
	l.Forget()
}

// firstActive sets the active bits of a strip.
func (l *Lane) firstActive(from, to int) {
	words := l.Active[from/64 : bitmap.Words(to)]
	if l.Spec.Activity == algorithms.Always {
		bitmap.Fill(words, to-from)
		return
	}
	activity.MarkUnlike(words, l.State[0].Slice(from, to), vector.Identity(l.Spec.Reduce, l.Spec.State[0].Type))
}

// Turn ends an iteration: the next state from what has come, and the vertices that send next.
func (l *Lane) Turn() {
	l.code.total(l.n)
	var change activity.Change
	evaluation.Strips(0, l.n, func(from, to int) {
		m := l.code.apply.Run(0, from, to)
		before, after := l.State[0].Slice(from, to), m.Output(0, to-from)
		change = change.And(activity.Change{By: activity.Distance(l.Spec.Norm, before, after)}, l.Spec.Norm)
		if l.Spec.Activity == algorithms.Changed {
			activity.MarkChanged(l.Active[from/64:bitmap.Words(to)], before, after)
		}
		for k, i := range l.code.applied {
			l.State[i].Slice(from, to).Copy(m.Output(k, to-from))
		}
	})
	l.Change = change.By
	for i, word := range l.Left {
		l.Active[i] |= word
	}
	clear(l.Left)
	l.Forget()
}

// total sums the aggregates over all vertices, in their order.
func (c *code) total(n int) {
	sums := make([]float64, len(c.totals))
	if c.aggregates != nil {
		c.aggregates.Settle()
		evaluation.Strips(0, n, func(from, to int) {
			m := c.aggregates.Run(0, from, to)
			for i := range sums {
				for _, x := range m.Output(i, to-from).Floats {
					sums[i] += x
				}
			}
		})
	}
	for i, sum := range sums {
		c.totals[i].Fill(vector.Scalar{Float: sum})
	}
	c.apply.Settle()
}
