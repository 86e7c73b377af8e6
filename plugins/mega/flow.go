package mega

// flow counts which rows of one side travel, clock by clock, as mirrors push them and pull them.
type flow struct {
	*account
	row     uint64 // bytes of one that travel
	owner   []uint16
	mirrors [][]uint32 // by worker: the rows that it has mirrors of
	// Of a row v, far has from ends[v] to ends[v+1] the workers with a mirror of it whose master is elsewhere.
	ends    []int64
	far     []uint16
	touched [][]uint32 // by worker and mirror: in which clock it was last changed; or how often, where any is set
	changed []uint32   // by row, by whichever worker
}

// account is what workers exchange.
type account struct {
	workers []exchanged
	now     uint32 // the clock, from 1
	// any is of how many clocks an edge may be in any, where batches are drawn: each row then changes in as many clocks as
	// edges lead to it, at the most; 0: it is known.
	any uint32
}

// exchanged is bytes of one worker.
type exchanged struct {
	far                uint64 // mirrors whose masters are elsewhere
	clock, epoch, most Traffic
	last               uint64 // pulled because of the last clock
	again              uint64 // pulled in an epoch where what several change in one clock is known one after the other
}

// flow is of a side's rows.
func (a *account) flow(row uint64, mirrors [][]uint32, owner []uint16) *flow {
	f := &flow{account: a, row: row, owner: owner, mirrors: mirrors, ends: make([]int64, len(owner)+1),
		touched: make([][]uint32, len(mirrors)), changed: make([]uint32, len(owner))}
	each := func(do func(worker int, v uint32)) {
		for k, ids := range mirrors {
			for _, v := range ids {
				if int(owner[v]) != k {
					do(k, v)
				}
			}
		}
	}
	each(func(k int, v uint32) {
		f.ends[v+1]++
		a.workers[k].far += row
	})
	for v := range owner {
		f.ends[v+1] += f.ends[v]
	}
	f.far = make([]uint16, f.ends[len(owner)])
	next := append([]int64{}, f.ends...)
	each(func(k int, v uint32) {
		f.far[next[v]] = uint16(k)
		next[v]++
	})
	for k, ids := range mirrors {
		f.touched[k] = make([]uint32, len(ids))
	}
	return f
}

// change is told that a worker may change its mirror i in this clock.
func (f *flow) change(worker int, i uint32) {
	v := f.mirrors[worker][i]
	if !f.once(&f.touched[worker][i]) {
		return
	}
	if int(f.owner[v]) != worker {
		f.workers[worker].clock.Pushed += f.row
	}
	first := f.once(&f.changed[v])
	for _, k := range f.far[f.ends[v]:f.ends[v+1]] {
		if first {
			f.workers[k].clock.Pulled += f.row
		} else {
			f.workers[k].again += f.row
		}
	}
}

// once says whether a row is now changed that was not yet in this clock, or in all that it may be.
func (a *account) once(mark *uint32) bool {
	switch {
	case a.any > 0 && *mark < a.any:
		*mark++
		return true
	case a.any > 0 || *mark == a.now:
		return false
	}
	*mark = a.now
	return true
}

// sync ends the clock, in which the context may have changed as well, of so many bytes, which the first worker has.
func (a *account) sync(context uint64) {
	a.now++
	for k := range a.workers {
		w := &a.workers[k]
		if k > 0 {
			w.clock.Pushed, w.clock.Pulled = w.clock.Pushed+context, w.clock.Pulled+context
		}
		w.epoch.Pushed, w.epoch.Pulled = w.epoch.Pushed+w.clock.Pushed, w.epoch.Pulled+w.clock.Pulled
		w.most.Pushed = max(w.most.Pushed, min(w.clock.Pushed, w.far))
		w.most.Pulled = w.far // before the first clock, and with slack at any time
		w.last = w.clock.Pulled
		w.clock = Traffic{}
	}
}
