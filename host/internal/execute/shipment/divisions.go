package shipment

import (
	"slices"
	"sync"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
)

// MostDivisions is how many bytes Divisions keep, in the host's memory, beside the budget. At 4 bytes a row and
// boundary that is a grid of 4×4 over five million rows.
const MostDivisions = 64 << 20

// Divisions say where the column intervals of a grid begin in each list. Each chunk is divided once, when a cell of it
// is wanted for the first time, and not once a cell and iteration, as far as there is room to keep what came of it.
type Divisions struct {
	cols []chunk.Interval

	mu   sync.Mutex // protects left, and which are kept
	left uint64
	kept map[int]*kept
}

type kept struct {
	once     sync.Once
	division cut.Division
}

// NewDivisions are by these column intervals, which follow each other, and take so many bytes at most. None are wanted
// of a grid that has one column interval.
func NewDivisions(cols []chunk.Interval, most uint64) *Divisions {
	return &Divisions{cols: cols, left: most, kept: map[int]*kept{}}
}

// cell takes out of a chunk what leads to an interval: all, or only the lists of senders, where they are given. ok is
// false where the interval is not of the grid, or there is no room to keep the division. divided: it was made now.
func (d *Divisions) cell(number int, view *chunk.Chunk, cols chunk.Interval, of *Senders,
	places chunk.Places) (part cut.Selection, divided, ok bool) {
	q := slices.Index(d.cols, cols)
	if q < 0 {
		return part, false, false
	}
	k := d.of(number, view)
	if k == nil {
		return part, false, false
	}
	k.once.Do(func() { k.division, divided = cut.Divide(view, d.cols), true })
	if of == nil {
		return k.division.All(view, q), divided, true
	}
	return k.division.Select(view, of.Words, of.first(), places, q), divided, true
}

// of is what is kept of a chunk; nil: there is no room.
func (d *Divisions) of(number int, view *chunk.Chunk) *kept {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept[number] == nil {
		bytes := cut.DivisionBytes(uint64(view.Rows()), len(d.cols))
		if bytes > d.left {
			return nil
		}
		d.left -= bytes
		d.kept[number] = &kept{}
	}
	return d.kept[number]
}
