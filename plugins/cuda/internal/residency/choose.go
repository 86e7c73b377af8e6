package residency

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/selection"
	"github.com/penstock-db/penstock/plugins/kit"
)

// CanSelect tells whether the card may read an arena by itself.
func CanSelect(c *card.Card, a *arena.Arena, managed bool) bool {
	if managed || !c.Context.Card.ReadsRegistered {
		return false
	}
	p := c.PinsOf(a)
	held := p.Hold(arena.Range{Length: 1})
	return c.Release(p) == nil && held
}

// choose has the card count the rows that an Upload wants, and waits for that. Where the card cannot, or they would
// take as much memory as the whole chunk, there is no selection, and the chunk is copied whole.
func (s *Residency) choose(ctx context.Context, u *Upload, c plugins.Command) error {
	if c.Among.Length == 0 {
		return nil
	}
	set, err := kit.OpenBitmap(s.Job.Arena, c.Among, int(s.Job.Graph.Vertices))
	if err != nil || !s.reads(u.Chunk, c) {
		return err
	}
	r := u.Chunk
	r.selection, err = selection.Count(ctx, s.with(), &r.Resident, r.view.Vertices(), set, u.letter)
	if err != nil {
		return err
	}
	u.Began = r.selection.Began
	bytes, smaller := r.selection.Shrink(&r.Resident, len(s.Columns), r.bytes, uint64(len(r.body)))
	if !smaller {
		return s.dropSelection(r)
	}
	r.bytes = bytes
	return nil
}

// reads tells whether kernels can read a chunk where it lies, and has it described so: nothing has to be converted, its
// vertices are its own, values begin where they may, and all of it is pinned.
func (s *Residency) reads(r *Chunk, c plugins.Command) bool {
	if !s.Plan.Selects || c.File != "" || r.Edges == 0 || len(r.conversions) > 0 {
		return false
	}
	if v := r.view.Vertices(); len(v) > 0 && uint64(slices.Max(v)) >= r.Interval.Count {
		return false
	}
	r.describe(memory.AddressOf(r.body), s.Columns)
	misplaced := (r.Vertices | r.Offsets | r.Neighbors) % 4
	for _, at := range r.Columns {
		misplaced |= at % 8
	}
	return misplaced == 0 && s.pins.Hold(arena.Range{Offset: c.At.Offset + r.skipped, Length: uint64(len(r.body))})
}

// dropSelection gives back what finding a chunk's rows took, and no kernel uses any more.
func (s *Residency) dropSelection(r *Chunk) error {
	n := r.selection
	if n == nil {
		return nil
	}
	r.selection = nil
	return n.Drop(s.with())
}
