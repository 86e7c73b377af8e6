package cuda

import (
	"context"
	"errors"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// selection is the rows of a chunk that an Upload wants. The card finds them by itself, in the arena, where the chunk
// lies whole and pinned: it counts them, is given room for as many, and gathers their lists (kernels.Cut). Of the rest
// of the chunk only the vertices cross the link, where it names them.
type selection struct {
	cut    kernels.Cut
	size   kernels.Subgraph
	bytes  uint64 // of the card's memory, charged to the budget, until the lists are there
	memory driver.Pointer
	read   uint64 // bytes of the arena, to count and to gather
}

// canSelect tells whether the card may read the arena by itself.
func (s *session) canSelect() bool {
	if s.managed || !s.card.Context.Card.ReadsRegistered {
		return false
	}
	p := s.card.PinsOf(s.job.Arena)
	held := p.Hold(arena.Range{Length: 1})
	return s.card.Release(p) == nil && held
}

// choose has the card count the rows that an Upload wants, and waits for that. Where the card cannot, or they would
// take as much memory as the whole chunk, there is no selection, and the chunk is copied whole.
func (s *session) choose(ctx context.Context, u *upload, c plugins.Command) error {
	if c.Among.Length == 0 {
		return nil
	}
	set, err := kit.OpenBitmap(s.job.Arena, c.Among, int(s.job.Graph.Vertices))
	if err != nil || !s.reads(u.resident, c) {
		return err
	}
	if err := s.count(ctx, u, wordsOf(set, u.resident.Interval)); err != nil {
		return err
	}
	if r := u.resident; !r.shrink(len(s.task.edgeColumns())) {
		return r.dropSelection(s)
	}
	return nil
}

// wordsOf are the words of a set in which an interval's vertices are.
func wordsOf(set []uint64, i chunk.Interval) []uint64 { return set[i.Base/64 : (i.End()+63)/64] }

// reads tells whether kernels can read a chunk where it lies, and has it described so: nothing has to be converted, its
// vertices are its own, values begin where they may, and all of it is pinned.
func (s *session) reads(r *resident, c plugins.Command) bool {
	if !s.plan.Selects || c.File != "" || r.Edges == 0 || len(r.conversions) > 0 {
		return false
	}
	if v := r.view.Vertices(); len(v) > 0 && uint64(slices.Max(v)) >= r.Interval.Count {
		return false
	}
	r.describe(memory.AddressOf(r.body), s.task.edgeColumns())
	misplaced := (r.Vertices | r.Offsets | r.Neighbors) % 4
	for _, at := range r.Columns {
		misplaced |= at % 8
	}
	return misplaced == 0 && s.pins.Hold(arena.Range{Offset: c.At.Offset + r.skipped, Length: uint64(len(r.body))})
}

// count takes memory for a selection, and has it counted which rows are of the set.
func (s *session) count(ctx context.Context, u *upload, words []uint64) (err error) {
	r, place := u.resident, memory.Slab{}
	head, size, set := place.Place(stream.HeadBytes), place.Place(uint64(unsafe.Sizeof(kernels.Subgraph{}))),
		place.Place(8*uint64(len(words)))
	scratch := place.Place(kernels.SubgraphScratch(r.Rows))
	if err = s.budget.Take(place.Bytes, "finding the chunk's active rows"); err != nil {
		return err
	}
	n := &selection{bytes: place.Bytes}
	if n.memory, err = s.streams.Choosing.Alloc(n.bytes); err != nil {
		s.budget.Give(n.bytes)
		return err
	}
	r.selection = n
	at := func(offset uint64) driver.Pointer { return n.memory + driver.Pointer(offset) }
	n.cut = kernels.Cut{From: at(head), Rows: r.Rows, Size: at(size), Scratch: at(scratch)}
	n.cut.Set = at(set) - driver.Pointer(r.Interval.Base/64*8) // of vertices before the chunk's it is never asked
	n.read = uint64(len(memory.Bytes(words))) + 4*uint64(len(r.view.Vertices())) + 8*membersOf(words, r.Interval)
	return s.countRows(ctx, u, at(set), words)
}

// membersOf is how many vertices of an interval are in the set whose words these are.
func membersOf(words []uint64, i chunk.Interval) uint64 {
	own := slices.Clone(words)
	own[0] &= ^uint64(0) << (i.Base % 64)
	own[len(own)-1] &= ^uint64(0) >> (63 - (i.End()-1)%64)
	return bitmap.Count(own)
}

// countRows does it.
func (s *session) countRows(ctx context.Context, u *upload, set driver.Pointer, words []uint64) error {
	k, err := s.card.Solvers()
	if err != nil {
		return err
	}
	n := u.resident.selection
	if u.began, err = s.streams.Mark(s.streams.Choosing); err != nil {
		return err
	}
	err = errors.Join(
		s.streams.CopyIn(ctx, s.streams.Choosing, n.cut.From, memory.BytesOf(&u.resident.Chunk)),
		s.streams.CopyIn(ctx, s.streams.Choosing, set, memory.Bytes(words)),
		k.CountSubgraph(s.streams.Choosing, n.cut),
		s.streams.Choosing.CopyOut(memory.BytesOf(&u.letter.Size), n.cut.Size))
	if err != nil {
		return err
	}
	counted, err := s.streams.Mark(s.streams.Choosing)
	if err != nil {
		return err
	}
	defer s.streams.Recycle(counted)
	err = driver.Await(ctx, counted.Query)
	n.size = u.letter.Size
	return err
}

// shrink makes the chunk one of the rows that were counted, with so many columns. It is false where that takes no less
// memory, or has no less read, or where the offsets are damaged: then the whole chunk is copied, and looked at.
func (r *resident) shrink(columns int) bool {
	rows, edges := r.selection.size.Rows, r.selection.size.Edges
	bytes := 2*memory.Aligned(4*rows+4) + memory.Aligned(4*edges) + uint64(columns)*memory.Aligned(8*edges) + memory.Aligned(stream.HeadBytes)
	r.selection.read += edges * (4 + 8*uint64(columns))
	if r.selection.size.Invalid != 0 || bytes >= r.bytes || r.selection.read >= uint64(len(r.body)) {
		return false
	}
	r.Rows, r.Edges, r.bytes = rows, edges, bytes
	return true
}

// placeSelection is place for a chunk of selected rows.
func (r *resident) placeSelection(columns int) {
	at := r.memory
	next := func(bytes uint64) driver.Pointer {
		at += driver.Pointer(memory.Aligned(bytes))
		return at - driver.Pointer(memory.Aligned(bytes))
	}
	r.At, r.Vertices, r.Offsets, r.Neighbors = next(stream.HeadBytes), next(4*r.Rows+4), next(4*r.Rows+4), next(4*r.Edges)
	for i := range columns {
		r.Columns[i] = next(8 * r.Edges)
	}
}

// collect has the card gather the lists.
func (s *session) collect(u *upload) error {
	k, err := s.card.Solvers()
	if err != nil {
		return err
	}
	if err := s.describe(s.streams.Copying, u); err != nil {
		return err
	}
	r := u.resident
	return k.GatherSubgraph(s.streams.Copying, r.selection.cut, r.At, r.Edges, uint64(len(s.task.edgeColumns())))
}

// dropSelection gives back what finding the rows took, and no kernel uses any more.
func (r *resident) dropSelection(s *session) error {
	n := r.selection
	if n == nil {
		return nil
	}
	r.selection = nil
	s.budget.Give(n.bytes)
	return s.streams.Choosing.Free(n.memory)
}
