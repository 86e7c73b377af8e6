package selection

import (
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Shrink makes a chunk one of the rows that were counted, with so many columns, and says how many bytes that takes. It
// is false, and the chunk as it was, where that takes no less memory than the whole one, of which length bytes were to
// be copied, or has no less read, or where the offsets are damaged: then the whole chunk is copied, and looked at.
func (n *Selection) Shrink(r *kernels.Resident, columns int, whole, length uint64) (bytes uint64, ok bool) {
	rows, edges := n.size.Rows, n.size.Edges
	bytes = 2*memory.Aligned(4*rows+4) + memory.Aligned(4*edges) + uint64(columns)*memory.Aligned(8*edges) +
		memory.Aligned(stream.HeadBytes)
	n.Read += edges * (4 + 8*uint64(columns))
	if n.size.Invalid != 0 || bytes >= whole || n.Read >= length {
		return 0, false
	}
	r.Rows, r.Edges = rows, edges
	return bytes, true
}

// Place says where the lists of a chunk are to be, in memory at an address.
func (n *Selection) Place(r *kernels.Resident, at driver.Pointer, columns int) {
	next := func(bytes uint64) driver.Pointer {
		at += driver.Pointer(memory.Aligned(bytes))
		return at - driver.Pointer(memory.Aligned(bytes))
	}
	r.At, r.Vertices, r.Offsets, r.Neighbors = next(stream.HeadBytes), next(4*r.Rows+4), next(4*r.Rows+4), next(4*r.Edges)
	for i := range columns {
		r.Columns[i] = next(8 * r.Edges)
	}
}

// Gather has the card gather the lists of a chunk that kernels know of.
func (n *Selection) Gather(on On, r *kernels.Resident, columns int) error {
	k, err := on.Card.Solvers()
	if err != nil {
		return err
	}
	return k.GatherSubgraph(on.Streams.Copying, n.cut, r.At, r.Edges, uint64(columns))
}

// Drop gives back what finding the rows took, and no kernel uses any more.
func (n *Selection) Drop(on On) error {
	on.Budget.Give(n.bytes)
	return on.Streams.Choosing.Free(n.memory)
}
