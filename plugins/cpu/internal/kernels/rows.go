package kernels

import "github.com/penstock-db/penstock/plugins/cpu/internal/csr"

// RowPusher is a kernel that also sends along single rows, for a frontier that is a short list.
type RowPusher interface {
	Kernel
	// PushRow sends along the edges [from, to) of a row of r, all of them the row's.
	PushRow(r *csr.Chunk, row, from, to int)
}

// RowsOf is kernel as one that sends along single rows, or nil: rows that pull do not.
func RowsOf(kernel Kernel) RowPusher {
	if v, ok := kernel.(*vectorized); ok && v.pulls {
		return nil
	}
	rows, _ := kernel.(RowPusher)
	return rows
}

// PushRow sends the message of one row.
func (k *scatter[M]) PushRow(r *csr.Chunk, row, from, to int) {
	t := k.acc.targets(r)
	k.send(&t, k.message(r, row), r.Neighbors[from:to], part(r.WeightsOf(k.weights), from, to))
}

// PushRow evaluates the messages of one row.
func (k *vectorized) PushRow(r *csr.Chunk, row, from, to int) {
	b, t := k.blocks[0], k.acc.targets(r)
	b.chunk, b.deliver = r, t.receive
	b.add(row, from, to)
	b.flush()
}
