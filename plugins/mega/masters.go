package mega

import "sync"

// masters are the true rows of what is mirrored: of right vertices, or of the context. Each is owned by one partition,
// whose lock guards it.
type masters[V Number] struct {
	rows    Rows
	values  []V      // in the order of storage
	version []uint64 // of each row: which change of its owner's was its last
	owner   []uint16
	ends    []*end[V]
	apply   func(w *Worker[V], master, change []V)
	ordered bool // changes are applied in the order of clocks: they wait for those that come later
}

// end is what an owner keeps of its masters.
type end[V Number] struct {
	mu      sync.Mutex
	changes uint64
	waiting []update[V] // that no master has applied yet
}

// hold has a worker do something while nobody else does anything to the masters of an end. It lets go of them if that
// panics.
func (e *end[V]) hold(w *Worker[V], a action, do func()) {
	w.at.does(waiting)
	e.mu.Lock()
	defer e.mu.Unlock()
	w.at.does(a)
	do()
}

// update is what one worker has changed in one clock.
type update[V Number] struct {
	clock, worker int
	rows          []uint32
	changes       []V
}

func newMasters[V Number](rows Rows, n, workers int, owner []uint16, start func(int, []V),
	apply func(*Worker[V], []V, []V)) *masters[V] {
	m := &masters[V]{rows: rows, values: make([]V, n*rows.master()), version: make([]uint64, n), owner: owner,
		apply: apply}
	for range workers {
		m.ends = append(m.ends, &end[V]{changes: 1})
	}
	for v := range n {
		m.version[v] = 1
		if start != nil {
			start(v, m.row(uint32(v)))
		}
	}
	return m
}

func (m *masters[V]) row(v uint32) []V {
	at, width := int(v)*m.rows.master(), m.rows.master()
	return m.values[at : at+width : at+width]
}

// take applies a change to a row of an owner whose lock is held.
func (m *masters[V]) take(w *Worker[V], e *end[V], v uint32, change []V) {
	row := m.row(v)
	if m.apply != nil {
		w.at.beat()
		m.apply(w, row, change)
	} else {
		for i, x := range change {
			row[i] += x
		}
	}
	e.changes++
	m.version[v] = e.changes
}

// visit shows a worker the rows that it owns, as they are when it knows of all clocks before its own.
func (m *masters[V]) visit(w *Worker[V], do func(*Worker[V], []V)) {
	e := m.ends[w.Number]
	e.hold(w, applying, func() {
		m.serve(w, e, w.Clock)
		w.at.does(visitRight)
		for v, owner := range m.owner {
			if int(owner) == w.Number {
				w.at.beat()
				do(w, m.row(uint32(v)))
			}
		}
	})
}

// serve applies what waits of the clocks before t, clock by clock and worker by worker. The owner's lock is held.
func (m *masters[V]) serve(w *Worker[V], e *end[V], t int) {
	for {
		next := -1
		for i, u := range e.waiting {
			if u.clock < t && (next < 0 || u.before(e.waiting[next])) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		u := e.waiting[next]
		e.waiting = append(e.waiting[:next], e.waiting[next+1:]...)
		for i, v := range u.rows {
			m.take(w, e, v, u.changes[i*m.rows.Shared:][:m.rows.Shared])
		}
	}
}

func (u update[V]) before(v update[V]) bool {
	return u.clock < v.clock || u.clock == v.clock && u.worker < v.worker
}
