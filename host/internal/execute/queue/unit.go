package queue

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
)

// The device is given what a queue has made as chunks of numbers of their own, which follow those of the stored ones:
// a tile has one for each direction, and so has a unit that is cut out of its chunks.

// tileNumber is that of a direction of a tile.
func (e *Engines) tileNumber(tile *plan.Slot, direction int) uint32 {
	return tile.Part + uint32(direction*len(e.Plan.Fit.Tiles))
}

// unitNumber is that of a direction of a unit.
func (e *Engines) unitNumber(unit, direction int) uint32 {
	directions := len(e.Plan.Kernel.Directions)
	return uint32(len(e.Plan.Chunks) + directions*(len(e.Plan.Fit.Tiles)+unit) + direction)
}

// read gets a unit into its slot.
func (e *Engines) read(ctx context.Context, s *shipment.Shipment) error {
	u := e.Units[s.Whole[0]]
	if u.Whole {
		at, err := e.Supply.ReadTo(ctx, u.Chunks[0], s.Slot.At)
		s.AddUpload(uint32(u.Chunks[0]), at)
		return err
	}
	rest := s.Slot.At
	for direction, number := range u.Chunks {
		view, _, err := e.Supply.View(ctx, number)
		if err != nil {
			return err
		}
		lists, _ := cut.Rows(view, u.Rows, false)
		if rest, err = e.put(s, e.unitNumber(s.Whole[0], direction), []cut.Selection{lists}, rest); err != nil {
			return err
		}
	}
	return nil
}

// put puts lists of a direction together as a chunk of a shipment, and returns what is left of its place.
func (e *Engines) put(s *shipment.Shipment, number uint32, lists []cut.Selection, at arena.Range) (arena.Range, error) {
	edges := 0
	for _, l := range lists {
		edges += l.Edges()
	}
	if edges == 0 {
		return at, nil
	}
	s.Parts = lists
	if err := e.PutTogether(s, number, at, 1); err != nil {
		return at, err
	}
	end := plan.Aligned(s.Uploads[len(s.Uploads)-1].At.End())
	return arena.Range{Offset: end, Length: at.End() - end}, nil
}
