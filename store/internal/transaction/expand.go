package transaction

import (
	"slices"

	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
)

// Expand yields the relationships of a node that have one of these types (none: any), and
// their other ends: those of the base first, by ascending other end, and then the newer ones.
func (tx *Lists) Expand(id uint64, dir Direction, types []base.Token, yield func(rel, other uint64) bool) error {
	if !tx.NodeExists(id) {
		return tx.nodeDeleted(id)
	}
	return tx.expand(id, dir, types, yield)
}

// expand is Expand of a node that may have been deleted.
func (tx *Lists) expand(id uint64, dir Direction, types []base.Token, yield func(rel, other uint64) bool) error {
	e := expansion{tx: tx, node: id, types: types, yield: yield, changes: tx.State.Adjacent.Get(id)}
	if id < tx.Base.Vertices {
		if err := e.base(dir); err != nil || e.stopped {
			return err
		}
	}
	if e.changes != nil {
		e.added(dir)
	}
	return nil
}

// expansion is an Expand on its way.
type expansion struct {
	tx      *Lists
	node    uint64
	types   []base.Token
	changes *delta.Adjacency // nil: the node's relationships are as in the base
	yield   func(rel, other uint64) bool
	stopped bool // yield wants no more
}

// base yields what the base has.
func (e *expansion) base(dir Direction) error {
	if !e.tx.Base.Manifest.Directed {
		return e.undirected(dir)
	}
	if dir != In {
		r, err := e.tx.outRow(e.node)
		if err != nil {
			return err
		}
		e.out(r)
	}
	if dir != Out && !e.stopped {
		r, err := e.tx.inRow(e.node)
		if err != nil {
			return err
		}
		return e.in(r, r.From, r.To, dir == Both)
	}
	return nil
}

// out yields the entries of an out-list, whose places are the ids.
func (e *expansion) out(r base.Row) {
	check := e.changes != nil && e.changes.Out.Removed > 0
	if len(e.types) == 0 && !check {
		for i, other := range r.Neighbors[r.From:r.To] {
			if !e.yield(r.Start+uint64(r.From+i), uint64(other)) {
				e.stopped = true
				return
			}
		}
		return
	}
	for i := r.From; i < r.To; i++ {
		id := r.Start + uint64(i)
		if !e.wanted(&r.Types, i) || check && e.tx.State.Deleted(id) {
			continue
		}
		if !e.yield(id, uint64(r.Neighbors[i])) {
			e.stopped = true
			return
		}
	}
}

// in yields entries [from, to) of an in-list. The k-th that comes from a neighbor is the
// k-th in that one's out-list that leads here. loops have been yielded already if skip.
func (e *expansion) in(r base.Row, from, to int, skip bool) error {
	check := e.changes != nil && e.changes.In.Removed > 0
	first := from // of the entries from the same neighbor
	var source base.Row
	for i := from; i < to; i++ {
		other := r.Neighbors[i]
		if i == from || r.Neighbors[i-1] != other {
			first, source = i, base.Row{}
		}
		if uint64(other) == e.node && skip || !e.wanted(&r.Types, i) {
			continue
		}
		id := r.Numbers[i].Load() - 1
		if id == noNumber {
			if source.Chunk == nil {
				var err error
				if source, err = e.tx.outRow(uint64(other)); err != nil {
					return err
				}
			}
			id = source.Number(e.node, i-first)
			r.Numbers[i].Store(id + 1)
		}
		if check && e.tx.State.Deleted(id) {
			continue
		}
		if !e.yield(id, uint64(other)) {
			e.stopped = true
			return nil
		}
	}
	return nil
}

// noNumber is one less than 0: see openChunk.
const noNumber = ^uint64(0)

// undirected yields entries of a list of an undirected graph: those that lead to lower ids
// end here, and have their ids from the others' lists.
func (e *expansion) undirected(dir Direction) error {
	r, err := e.tx.outRow(e.node)
	if err != nil {
		return err
	}
	list := r.Neighbors[r.From:r.To]
	self, _ := slices.BinarySearch(list, uint32(e.node))
	if dir != In {
		higher := r
		higher.From += self
		if e.out(higher); e.stopped {
			return nil
		}
	}
	if dir != Out {
		end := r.From + self
		for dir == In && end < r.To && uint64(r.Neighbors[end]) == e.node {
			end++
		}
		return e.in(r, r.From, end, dir == Both)
	}
	return nil
}

// wanted tells whether an entry has one of the types.
func (e *expansion) wanted(types *base.TypeCodes, i int) bool {
	return len(e.types) == 0 || slices.Contains(e.types, types.At(i))
}

// added yields what the changes have added.
func (e *expansion) added(dir Direction) {
	if dir != In {
		e.list(&e.changes.Out, false)
	}
	if dir != Out && !e.stopped {
		e.list(&e.changes.In, dir == Both)
	}
}

func (e *expansion) list(l *delta.List, skipLoops bool) {
	removed := l.Removed > 0
	e.stopped = !l.All(func(x delta.Entry) bool {
		switch {
		case skipLoops && x.Other == e.node,
			len(e.types) > 0 && !slices.Contains(e.types, x.Type),
			removed && e.tx.State.Deleted(x.Relationship):
			return true
		}
		return e.yield(x.Relationship, x.Other)
	})
}

// outRow is the out-list of a node in the base.
func (tx *Lists) outRow(v uint64) (base.Row, error) { return tx.rowOf(0, tx.Base.Out, v) }

// inRow is the in-list of a node in the base.
func (tx *Lists) inRow(v uint64) (base.Row, error) { return tx.rowOf(1, tx.Base.In, v) }

// rowOf looks into the chunk that was used last before it searches for the right one.
func (tx *Lists) rowOf(side int, r *base.RowReader, v uint64) (base.Row, error) {
	if c := tx.last[side]; c != nil && v-c.Rows.Base < c.Rows.Count {
		return c.Row(v), nil
	}
	found, err := r.Row(v)
	tx.last[side] = found.Chunk
	return found, err
}

// Degree is how many relationships Expand yields.
func (tx *Lists) Degree(id uint64, dir Direction, types []base.Token) (uint64, error) {
	if !tx.NodeExists(id) {
		return 0, tx.nodeDeleted(id)
	}
	return tx.degree(id, dir, types)
}

// degree is Degree of a node that may have been deleted. It is the length of lists, or how many
// entries have the types, unless changes ask for a look at relationships.
func (tx *Lists) degree(id uint64, dir Direction, types []base.Token) (n uint64, err error) {
	e := expansion{tx: tx, node: id, types: types, changes: tx.State.Adjacent.Get(id)}
	if e.changes != nil && (len(types) > 0 || dir == Both || !tx.Base.Manifest.Directed) {
		err = tx.expand(id, dir, types, func(uint64, uint64) bool {
			n++
			return true
		})
		return n, err
	}
	if id < tx.Base.Vertices {
		if n, err = e.degree(dir); err != nil {
			return 0, err
		}
	}
	if e.changes != nil {
		l := &e.changes.Out
		if dir == In {
			l = &e.changes.In
		}
		n += l.Added - l.Removed
	}
	return n, nil
}

// degree counts the entries of the base that base would yield.
func (e *expansion) degree(dir Direction) (n uint64, err error) {
	directed := e.tx.Base.Manifest.Directed
	if dir != In || !directed {
		r, err := e.tx.outRow(e.node)
		if err != nil {
			return 0, err
		}
		if !directed {
			r = e.side(r, dir)
		}
		n = e.count(r)
	}
	if dir != Out && directed {
		r, err := e.tx.inRow(e.node)
		if err != nil {
			return 0, err
		}
		n += e.count(r)
		if dir == Both {
			n -= e.count(e.loops(r)) // which the out-list has as well
		}
	}
	return n, nil
}

// side is the part of an undirected graph's list that leads in a direction.
func (e *expansion) side(r base.Row, dir Direction) base.Row {
	loops := e.loops(r)
	switch dir {
	case Out:
		r.From = loops.From
	case In:
		r.To = loops.To
	}
	return r
}

// loops are the entries of a list that lead back to the node.
func (e *expansion) loops(r base.Row) base.Row {
	list := r.Neighbors[r.From:r.To]
	first, _ := slices.BinarySearch(list, uint32(e.node))
	after, _ := slices.BinarySearch(list, uint32(e.node)+1)
	r.From, r.To = r.From+first, r.From+after
	return r
}

func (e *expansion) count(r base.Row) uint64 {
	if len(e.types) == 0 {
		return uint64(r.To - r.From)
	}
	n := uint64(0)
	for i := r.From; i < r.To; i++ {
		if e.wanted(&r.Types, i) {
			n++
		}
	}
	return n
}
