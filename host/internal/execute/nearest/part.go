package nearest

import (
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
)

// part is lists that are put together as one chunk, of whole vertices.
type part struct {
	taken    schedule.Bitmap // whose
	vertices []uint64        // the same, as they were chosen
	edges    uint64
	bytes    uint64 // that they take of the budget, of as many as there is room for
	room     uint64
	slot     *plan.Slot // where they have been put together; nil: nowhere yet
	encoded  uint64     // bytes there
}

// newPart is one of a graph whose vertices take so many words of a bitmap.
func newPart(words int) *part { return &part{taken: make(schedule.Bitmap, words)} }

// clear makes it a part without lists, with room for so many bytes.
func (p *part) clear(room uint64) {
	for _, v := range p.vertices {
		p.taken.Remove(v)
	}
	*p = part{taken: p.taken, vertices: p.vertices[:0], room: room}
}

// take adds the list of a vertex, if there is room.
func (p *part) take(v uint64, edges int, sizes plan.Sizes) bool {
	cost := sizes.ListsCost(min(edges, 1), edges) // an empty one is there without being sent
	if p.bytes+cost > p.room {
		return false
	}
	p.bytes += cost
	p.edges += uint64(edges)
	p.taken.Add(v)
	p.vertices = append(p.vertices, v)
	return true
}
