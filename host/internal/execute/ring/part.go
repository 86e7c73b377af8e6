package ring

import (
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
)

// Part is lists that are put together as one chunk, of whole vertices.
type Part struct {
	Taken    schedule.Bitmap // whose
	Vertices []uint64        // the same, as they were chosen
	Edges    uint64
	Bytes    uint64 // that they take of the budget, of as many as there is room for
	room     uint64
	Slot     *plan.Slot // where they have been put together; nil: nowhere yet
	encoded  uint64     // bytes there
}

// NewPart is one of a graph whose vertices take so many words of a bitmap.
func NewPart(words int) *Part { return &Part{Taken: make(schedule.Bitmap, words)} }

// Clear makes it a part without lists, with room for so many bytes.
func (p *Part) Clear(room uint64) {
	for _, v := range p.Vertices {
		p.Taken.Remove(v)
	}
	*p = Part{Taken: p.Taken, Vertices: p.Vertices[:0], room: room}
}

// Take adds the list of a vertex, if there is room.
func (p *Part) Take(v uint64, edges int, sizes plan.Sizes) bool {
	cost := sizes.ListsCost(min(edges, 1), edges) // an empty one is there without being sent
	if p.Bytes+cost > p.room {
		return false
	}
	p.Bytes += cost
	p.Edges += uint64(edges)
	p.Taken.Add(v)
	p.Vertices = append(p.Vertices, v)
	return true
}
