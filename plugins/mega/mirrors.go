package mega

// mirrors are what a worker has of rows whose masters are elsewhere.
type mirrors[V Number] struct {
	of     *masters[V]
	ids    []uint32 // of the masters
	byEnd  [][]uint32
	values []V
	pulled []V // the shared values, as they came
	seen   []uint64
	stamp  []uint32 // of the clock in which a row was last touched
	dirty  []uint32 // touched in this clock
	every  []uint32 // all rows; nil before they are asked for
	most   bool     // so many edges are gone along in this clock that rows are not marked one by one
	change []V
	sent   [][]uint32     // by end, the rows of a clock that have changed
	flying [][]*flight[V] // by end, whose monitor guards them: what is on its way there
}

// newMirrors are of such masters. Values of their own begin as start says; nil: as 0.
func newMirrors[V Number](of *masters[V], ids []uint32, start func(i int, own []V)) *mirrors[V] {
	r := &mirrors[V]{of: of, ids: ids, byEnd: make([][]uint32, len(of.ends)), values: make([]V, len(ids)*of.rows.mirror()),
		pulled: make([]V, len(ids)*of.rows.Shared), seen: make([]uint64, len(ids)), stamp: make([]uint32, len(ids)),
		change: make([]V, of.rows.Shared), sent: make([][]uint32, len(of.ends)), flying: make([][]*flight[V], len(of.ends))}
	for i, v := range ids {
		o := of.owner[v]
		r.byEnd[o] = append(r.byEnd[o], uint32(i))
		if start != nil {
			start(i, r.row(uint32(i))[of.rows.Shared:])
		}
	}
	return r
}

func (r *mirrors[V]) row(i uint32) []V {
	at, width := int(i)*r.of.rows.mirror(), r.of.rows.mirror()
	return r.values[at : at+width : at+width]
}

// expect is told how many edges are gone along next. Where these are more than there are rows, to look in the end at
// all rows takes less than to mark some, edge by edge.
func (r *mirrors[V]) expect(edges int64) { r.most = r.most || edges > int64(len(r.ids)) }

// touch marks rows that this clock may change.
func (r *mirrors[V]) touch(clock int, rows []uint32) {
	if r.most {
		return
	}
	now := uint32(clock) + 1
	for _, i := range rows {
		if r.stamp[i] != now {
			r.stamp[i] = now
			r.dirty = append(r.dirty, i)
		}
	}
}

// pull brings the rows whose masters have changed. Masters first apply what waits of the clocks before t.
func (r *mirrors[V]) pull(w *Worker[V], t int, count *Traffic) {
	width := r.of.rows.Shared
	for o, mine := range r.byEnd {
		if len(mine) == 0 {
			continue
		}
		e := r.of.ends[o]
		e.hold(w, applying, func() {
			r.of.serve(w, e, t)
			for _, i := range mine {
				v := r.ids[i]
				if r.seen[i] == r.of.version[v] {
					continue
				}
				r.seen[i] = r.of.version[v]
				row := r.of.row(v)[:width]
				copy(r.row(i), row)
				copy(r.pulled[int(i)*width:], row)
				count.add(o != w.Number, &count.Pulled, width)
			}
			r.replay(o)
		})
	}
}

// replay has rows of an end, whose monitor is held, show what this worker has changed and is still on its way. What
// Apply makes of that, the master alone knows.
func (r *mirrors[V]) replay(o int) {
	if r.of.apply != nil {
		return
	}
	width := r.of.rows.Shared
	for _, f := range r.flying[o] {
		for k, i := range f.mine {
			row := r.of.row(f.rows[k])[:width]
			copy(r.row(i), row)
			copy(r.pulled[int(i)*width:], row)
		}
	}
	for _, f := range r.flying[o] {
		for k, i := range f.mine {
			row, pulled := r.row(i), r.pulled[int(i)*width:]
			for j, x := range f.changes[k*width:][:width] {
				row[j] += x
				pulled[j] = row[j]
			}
		}
	}
}

// push sends by how much the rows have changed that were touched; one that its owner alone has a mirror of is its
// master's, and none goes back and forth. Where the order of updates is to be that of clocks,
// they wait at the master's. What is returned is yet to be brought there: if that takes time, all that others keep.
func (r *mirrors[V]) push(w *Worker[V], takesTime bool, count *Traffic) (flights []*flight[V]) {
	width := r.of.rows.Shared
	for o := range r.sent {
		r.sent[o] = r.sent[o][:0]
	}
	for _, i := range r.touched() {
		switch v := r.ids[i]; {
		case r.of.apply == nil && !r.of.travels[v]:
			r.of.agree(v, r.row(i))
		case r.differs(i):
			o := r.of.owner[v]
			r.sent[o] = append(r.sent[o], i)
		}
	}
	r.dirty, r.most = r.dirty[:0], false
	for o, rows := range r.sent {
		if len(rows) == 0 {
			continue
		}
		count.add(o != w.Number, &count.Pushed, width*len(rows))
		e := r.of.ends[o]
		e.hold(w, applying, func() {
			switch {
			case takesTime && o != w.Number:
				f := &flight[V]{update: r.update(w, rows), of: r.of, end: e, from: r, mine: append([]uint32{}, rows...)}
				r.flying[o] = append(r.flying[o], f)
				flights = append(flights, f)
			case r.of.ordered:
				e.boxes[w.Number].put(r, w.Clock, rows)
			default:
				for _, i := range rows {
					r.of.take(w, e, r.ids[i], r.changed(i))
				}
			}
		})
	}
	return flights
}

// update is by how much rows have changed. They are then as if just pulled.
func (r *mirrors[V]) update(w *Worker[V], rows []uint32) update[V] {
	u := update[V]{clock: w.Clock, worker: w.Number, rows: make([]uint32, 0, len(rows)),
		changes: make([]V, 0, len(rows)*r.of.rows.Shared)}
	for _, i := range rows {
		u.rows = append(u.rows, r.ids[i])
		u.changes = append(u.changes, r.changed(i)...)
	}
	return u
}

// touched are the rows that this clock may have changed.
func (r *mirrors[V]) touched() []uint32 {
	if !r.most {
		return r.dirty
	}
	if r.every == nil {
		r.every = make([]uint32, len(r.ids))
		for i := range r.every {
			r.every[i] = uint32(i)
		}
	}
	return r.every
}

func (r *mirrors[V]) differs(i uint32) bool {
	width := r.of.rows.Shared
	row := r.row(i)
	for k, x := range r.pulled[int(i)*width:][:width] {
		if row[k] != x {
			return true
		}
	}
	return false
}

// changed is by how much row i changes its master's, until the next call. The row is then as if just pulled.
func (r *mirrors[V]) changed(i uint32) []V {
	width := r.of.rows.Shared
	row, pulled := r.row(i)[:width], r.pulled[int(i)*width:][:width]
	for k, x := range row {
		r.change[k] = x - pulled[k]
	}
	if together := r.of.of(r.ids[i]); together > 1 {
		for k, x := range r.change {
			r.change[k] = V(float64(x) / together)
			row[k] = pulled[k] + r.change[k]
		}
	}
	copy(pulled, row)
	return r.change
}
