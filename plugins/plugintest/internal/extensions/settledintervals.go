package extensions

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// settle has the device compute the next state of an interval from other vertices, and then bring it to local
// convergence along its own edges. The next state is the last one from then on, of which later intervals read.
func (w *intervalsWork) settle(base int, it plugins.Iteration) {
	w.t.Helper()
	w.bring(base)
	end := min(base+w.each, w.all.N())
	var sources []int
	var own []algorithms.Edge
	for u := range w.all.N() {
		switch {
		case u >= base && u < end:
			own = append(own, w.edges(u, uint32(w.each+u-base), base, end)...)
		case w.leads(u, base, end):
			sources = append(sources, u)
		}
	}
	for cells := 0; len(sources) > 0 || cells == 0; cells++ {
		count := min(len(sources), 1+w.r.IntN(w.each))
		w.cell(sources[:count], base, end, it)
		sources = sources[count:]
	}
	if w.fresh && !w.sums { // those that are active have not sent along their own edges
		it.Active, it.Converged = w.sendOwn(base, end), false
		w.ask(plugins.Command{Op: plugins.Restore, Iteration: it})
		w.along(own, plugins.Command{Op: plugins.Step})
	}
	w.ask(plugins.Command{Op: plugins.Apply})
	if w.sums {
		w.along(own, plugins.Command{Op: plugins.Settle, At: w.within()})
	} else {
		w.settleAlong(own)
	}
	w.takeBack(base)
	w.write(base, end)
}

// sendOwn has the vertices of an interval that are active be so among the destinations, and tells how many those are.
func (w *intervalsWork) sendOwn(base, end int) (active uint64) {
	set := w.session.Active()
	clear(set)
	for v := base; v < end; v++ {
		if at := w.each + v - base; w.active[v] {
			active++
			set[at/word] |= 1 << (at % word)
		}
	}
	return active
}

// within is the set of all destinations.
func (w *intervalsWork) within() arena.Range {
	w.t.Helper()
	set, err := w.session.Arena.Uint64s(w.set)
	if err != nil {
		w.t.Fatal(err)
	}
	for k := range set {
		if set[k] = 0; k >= w.each/word {
			set[k] = ^uint64(0)
		}
	}
	return w.set
}

// settleAlong has the destinations settle along edges among them, in any number of rounds a time.
func (w *intervalsWork) settleAlong(own []algorithms.Edge) {
	w.t.Helper()
	at := w.within()
	for len(own) > 0 && anyActive(w.session.Active()[w.each/word:]) {
		w.along(own, plugins.Command{Op: plugins.Settle, At: at, Rounds: uint32(w.r.IntN(4))})
	}
}

func anyActive(set []uint64) bool {
	for _, word := range set {
		if word != 0 {
			return true
		}
	}
	return false
}

// write has the next state of an interval be the last one. Those vertices are active that have changed, and in the
// first iteration those that were.
func (w *intervalsWork) write(base, end int) {
	now := w.columns[len(w.columns)-len(w.next):]
	for v := base; v < end; v++ {
		w.soon[v] = numberOf(now[0], v) != numberOf(w.next[0], v)
		w.active[v] = w.soon[v] || w.fresh && w.active[v]
	}
	for i, c := range w.next {
		putValues(now[i], base, c, base, end-base)
	}
}
