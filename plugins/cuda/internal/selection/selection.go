// Package selection takes some rows of a chunk out of the arena, without the rest of it. The card finds them by itself,
// where the chunk lies whole and pinned:
//
//	set, chunk in the arena ──Count──▶ Selection: how many rows and edges     (selection.go)
//	memory for as many ──Place──▶ where its lists are to be                   (gather.go)
//	chunk in the arena ──Gather──▶ lists on the card (kernels.Cut)            (gather.go)
//
// Of the rest of the chunk only the vertices cross the link, where it names them.
package selection

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Selection is the rows of a chunk that an Upload wants.
type Selection struct {
	Began *driver.Event // when the card began to count; nil: it did not
	Read  uint64        // bytes of the arena, to count and to gather

	cut    kernels.Cut
	size   kernels.Subgraph
	bytes  uint64 // of the card's memory, charged to the budget, until the lists are there
	memory driver.Pointer
}

// On is what a selection is made with.
type On struct {
	Card    *card.Card
	Streams *stream.Streams
	Budget  *kit.Budget
}

// Count has the card count which rows of a chunk are of a set, and waits for that. The chunk is described as it lies in
// the arena, with the vertices of its rows (nil: every one); letter brings the answer. A selection that is returned
// beside an error has taken memory, which Drop gives back.
func Count(ctx context.Context, on On, r *kernels.Resident, vertices []uint32, set []uint64, letter *stream.Letter,
) (*Selection, error) {
	words := wordsOf(set, r.Interval)
	place := memory.Slab{}
	head, size := place.Place(stream.HeadBytes), place.Place(uint64(unsafe.Sizeof(kernels.Subgraph{})))
	members, scratch := place.Place(8*uint64(len(words))), place.Place(kernels.SubgraphScratch(r.Rows))
	if err := on.Budget.Take(place.Bytes, "finding the chunk's active rows"); err != nil {
		return nil, err
	}
	at, err := on.Streams.Choosing.Alloc(place.Bytes)
	if err != nil {
		on.Budget.Give(place.Bytes)
		return nil, err
	}
	n := &Selection{bytes: place.Bytes, memory: at}
	n.cut = kernels.Cut{From: at + driver.Pointer(head), Rows: r.Rows, Size: at + driver.Pointer(size),
		Scratch: at + driver.Pointer(scratch)}
	// of vertices before the chunk's it is never asked
	n.cut.Set = at + driver.Pointer(members) - driver.Pointer(r.Interval.Base/64*8)
	n.Read = uint64(len(memory.Bytes(words))) + 4*uint64(len(vertices)) + 8*membersOf(words, r.Interval)
	return n, n.count(ctx, on, &r.Chunk, at+driver.Pointer(members), words, letter)
}

// count does it, once there is memory.
func (n *Selection) count(ctx context.Context, on On, c *kernels.Chunk, set driver.Pointer, words []uint64,
	letter *stream.Letter,
) error {
	k, err := on.Card.Solvers()
	if err != nil {
		return err
	}
	q := on.Streams
	if n.Began, err = q.Mark(q.Choosing); err != nil {
		return err
	}
	err = errors.Join(
		q.CopyIn(ctx, q.Choosing, n.cut.From, memory.BytesOf(c)),
		q.CopyIn(ctx, q.Choosing, set, memory.Bytes(words)),
		k.CountSubgraph(q.Choosing, n.cut),
		q.Choosing.CopyOut(memory.BytesOf(&letter.Size), n.cut.Size))
	if err != nil {
		return err
	}
	counted, err := q.Mark(q.Choosing)
	if err != nil {
		return err
	}
	defer q.Recycle(counted)
	err = driver.Await(ctx, counted.Query)
	n.size = letter.Size
	return err
}

// wordsOf are the words of a set in which an interval's vertices are.
func wordsOf(set []uint64, i chunk.Interval) []uint64 { return set[i.Base/64 : (i.End()+63)/64] }

// membersOf is how many vertices of an interval are in the set whose words these are.
func membersOf(words []uint64, i chunk.Interval) uint64 {
	own := slices.Clone(words)
	own[0] &= ^uint64(0) << (i.Base % 64)
	own[len(own)-1] &= ^uint64(0) >> (63 - (i.End()-1)%64)
	return bitmap.Count(own)
}
