package transaction

import "github.com/penstock-db/penstock/store/internal/base"

// Neighbors yields the other ends of the relationships that Expand would yield, as often. It is
// faster where their ids are not needed: those of an in-list have to be searched for.
func (tx *Lists) Neighbors(id uint64, dir Direction, types []base.Token, yield func(other uint64) bool) error {
	if !tx.NodeExists(id) {
		return tx.nodeDeleted(id)
	}
	e := expansion{tx: tx, node: id, types: types, changes: tx.State.Adjacent.Get(id)}
	e.yield = func(_, other uint64) bool { return yield(other) }
	if e.changes != nil && e.changes.Out.Removed+e.changes.In.Removed > 0 {
		return tx.expand(id, dir, types, e.yield)
	}
	if id < tx.Base.Vertices {
		if err := e.neighbors(dir, yield); err != nil || e.stopped {
			return err
		}
	}
	if e.changes != nil {
		e.added(dir)
	}
	return nil
}

// neighbors yields those of the base.
func (e *expansion) neighbors(dir Direction, yield func(other uint64) bool) error {
	directed := e.tx.Base.Manifest.Directed
	if dir != In || !directed {
		r, err := e.tx.outRow(e.node)
		if err != nil {
			return err
		}
		if !directed {
			r = e.side(r, dir)
		}
		e.ends(r, false, yield)
	}
	if dir == Out || !directed || e.stopped {
		return nil
	}
	r, err := e.tx.inRow(e.node)
	if err == nil {
		e.ends(r, dir == Both, yield)
	}
	return err
}

// ends yields the entries of a list.
func (e *expansion) ends(r base.Row, skipLoops bool, yield func(other uint64) bool) {
	for i, other := range r.Neighbors[r.From:r.To] {
		if skipLoops && uint64(other) == e.node || !e.wanted(&r.Types, r.From+i) {
			continue
		}
		if !yield(uint64(other)) {
			e.stopped = true
			return
		}
	}
}
