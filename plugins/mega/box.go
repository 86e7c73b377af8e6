package mega

import "github.com/penstock-db/penstock/plugins/mega/internal/commons"

// box has what one worker has changed in one clock of the masters of one owner, until they apply it: before the worker
// comes to its next Sync, since it pulls first.
type box[V Number] struct {
	head    *boxHead
	rows    []uint32 // as many as the worker has mirrors of such masters
	changes []V
}

type boxHead struct {
	clock int64 // 1 more than it; 0: the box is empty
	rows  int64
}

// addBoxes gives each worker a box at each owner.
func (m *masters[V]) addBoxes(c *commons.Memory, mirrors [][]uint32) {
	heads := commons.Take[boxHead](c, len(mirrors)*len(mirrors))
	for k, ids := range mirrors {
		sizes := make([]int, len(mirrors))
		for _, v := range ids {
			sizes[m.owner[v]]++
		}
		rows, changes := commons.Take[uint32](c, len(ids)), commons.Take[V](c, len(ids)*m.rows.Shared)
		for o, n := range sizes {
			m.ends[o].boxes = append(m.ends[o].boxes, &box[V]{&heads[k*len(mirrors)+o], rows[:n], changes[:n*m.rows.Shared]})
			rows, changes = rows[n:], changes[n*m.rows.Shared:]
		}
	}
}

// put puts in by how much rows of mirrors have changed, which are then as if just pulled.
func (b *box[V]) put(r *mirrors[V], clock int, rows []uint32) {
	for k, i := range rows {
		b.rows[k] = r.ids[i]
		copy(b.changes[k*r.of.rows.Shared:], r.changed(i))
	}
	*b.head = boxHead{int64(clock) + 1, int64(len(rows))}
}

// open empties the boxes of the clocks before t: what is in them waits to be applied before they are filled again.
func (e *end[V]) open(t int) {
	for worker, b := range e.boxes {
		if h := *b.head; h.clock > 0 && int(h.clock)-1 < t {
			e.waiting = append(e.waiting, update[V]{int(h.clock) - 1, worker, b.rows[:h.rows], b.changes})
			b.head.clock = 0
		}
	}
}
