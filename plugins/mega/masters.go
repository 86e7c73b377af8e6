package mega

import "github.com/penstock-db/penstock/plugins/mega/internal/commons"

// masters are the true rows of what is mirrored: of right vertices, or of the context. Each is owned by one partition,
// whose monitor guards it.
type masters[V Number] struct {
	rows    Rows
	values  []V      // in the order of storage
	version []uint64 // of each row: which change of its owner's was its last
	owner   []uint16
	travels []bool // of each row: whether others than its owner have a mirror
	// overlap is by how many a change of a mirror is divided, by row; nil: changes are added as they are.
	overlap []float32
	ends    []*end[V]
	apply   func(w *Worker[V], master, change []V)
	ordered bool // changes are applied in the order of clocks: they wait for those that come later
}

// end is what an owner keeps of its masters.
type end[V Number] struct {
	commons.Monitor
	changes *uint64
	boxes   []*box[V]   // by worker; nil: changes are not ordered
	waiting []update[V] // beside what is in boxes
}

// hold has a worker do something while nobody else does anything to the masters of an end. It lets go of them if that
// panics.
func (e *end[V]) hold(w *Worker[V], a action, do func()) {
	w.at.does(waiting)
	e.Lock()
	defer e.Unlock()
	w.at.does(a)
	do()
}

// update is what one worker has changed in one clock.
type update[V Number] struct {
	clock, worker int
	rows          []uint32
	changes       []V
}

// newMasters are those of n rows, of which workers have such mirrors. Those that owners of this process have begin as
// start says.
func newMasters[V Number](c *commons.Memory, o Options, rows Rows, mirrors [][]uint32, owner []uint16,
	start func(int, []V), apply func(*Worker[V], []V, []V)) *masters[V] {
	n := len(owner)
	m := &masters[V]{rows: rows, values: commons.Take[V](c, n*rows.master()), version: commons.Take[uint64](c, n),
		owner: owner, travels: traveling(mirrors, owner), apply: apply, ordered: o.Slack == 0}
	changes := commons.Take[uint64](c, len(mirrors))
	for k := range mirrors {
		m.ends = append(m.ends, &end[V]{Monitor: commons.NewMonitor(c), changes: &changes[k]})
	}
	if m.ordered {
		m.addBoxes(c, mirrors)
	}
	for v, k := range owner {
		if !o.Processes.has(int(k), o.Workers) {
			continue
		}
		m.version[v], changes[k] = 1, 1
		if start != nil {
			start(v, m.row(uint32(v)))
		}
	}
	return m
}

// traveling says of which rows others than the owner have a mirror.
func traveling(mirrors [][]uint32, owner []uint16) []bool {
	all := make([]bool, len(owner))
	for k, ids := range mirrors {
		for _, v := range ids {
			all[v] = all[v] || int(owner[v]) != k
		}
	}
	return all
}

// of is how many mirrors of a row are changed together.
func (m *masters[V]) of(v uint32) float64 {
	if m.overlap == nil {
		return 1
	}
	return float64(m.overlap[v])
}

func (m *masters[V]) row(v uint32) []V {
	at, width := int(v)*m.rows.master(), m.rows.master()
	return m.values[at : at+width : at+width]
}

// take applies a change to a row of an owner whose monitor is held.
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
	*e.changes++
	m.version[v] = *e.changes
}

// agree brings to a row what the one mirror that there is of it has changed, as take and a pull would, to the bit. Only
// the owner's worker has to do with either.
func (m *masters[V]) agree(v uint32, mirror []V) {
	master := m.row(v)[:m.rows.Shared]
	mirror = mirror[:len(master)]
	for i, x := range master {
		if y := mirror[i]; x != y {
			x += y - x
			master[i], mirror[i] = x, x
		}
	}
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

// serve applies what waits of the clocks before t, clock by clock and worker by worker. The owner's monitor is held.
func (m *masters[V]) serve(w *Worker[V], e *end[V], t int) {
	e.open(t)
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
