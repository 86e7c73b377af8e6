package npu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// start evaluates the initial state and says who sends first.
func (l *lane) start() {
	strips(l.n, func(from, to int) {
		m := l.init.run(from, to)
		for i, state := range l.state {
			state.Slice(from, to).Copy(m.Output(i, to-from))
		}
		l.firstActive(from, to)
	})
	l.change = 0
	l.forget()
}

// firstActive sets the active bits of a strip.
func (l *lane) firstActive(from, to int) {
	words := l.active[from/64 : bitmap.Words(to)]
	if l.spec.Activity == algorithms.Always {
		bitmap.Fill(words, to-from)
		return
	}
	t := l.spec.State[0].Type
	nothing := vector.Broadcast(vector.Identity(l.spec.Reduce, t), to-from)
	markChanged(words, nothing, l.state[0].Slice(from, to))
}

// turn ends an iteration: the next state from what has come, and who sends next.
func (l *lane) turn() {
	l.total()
	l.change = 0
	strips(l.n, func(from, to int) {
		m := l.apply.run(from, to)
		before, after := l.state[0].Slice(from, to), m.Output(0, to-from)
		l.change = distance(l.spec.Norm, l.change, before, after)
		if l.spec.Activity == algorithms.Changed {
			markChanged(l.active[from/64:bitmap.Words(to)], before, after)
		}
		for k, i := range l.applied {
			l.state[i].Slice(from, to).Copy(m.Output(k, to-from))
		}
	})
	for i, word := range l.left {
		l.active[i] |= word
	}
	clear(l.left)
	l.forget()
}

// total sums the aggregates over all vertices, in their order.
func (l *lane) total() {
	sums := make([]float64, len(l.totals))
	if l.aggregates != nil {
		l.aggregates.settle()
		strips(l.n, func(from, to int) {
			m := l.aggregates.run(from, to)
			for i := range sums {
				for _, x := range m.Output(i, to-from).Floats {
					sums[i] += x
				}
			}
		})
	}
	for i, sum := range sums {
		l.totals[i].Fill(vector.Scalar{Float: sum})
	}
	l.apply.settle()
}

// forget empties the accumulators.
func (l *lane) forget() { l.acc.Fill(vector.Identity(l.spec.Reduce, l.accType)) }

// sending is how many vertices are active.
func (l *lane) sending() uint64 { return bitmap.Count(l.active) }

// isSettled tells whether nothing more will change, after so many iterations.
func (l *lane) isSettled(iteration int) bool {
	return kit.Settled(l.spec, l.n, iteration, l.sending(), l.change)
}
