package residency

import (
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// place says where everything is, now that there is memory for it.
func (r *Chunk) place(number uint32, names []string) {
	r.Number = number
	if r.selection != nil {
		r.selection.Place(&r.Resident, r.memory, len(names))
		return
	}
	r.describe(r.memory, names)
	next := r.memory + driver.Pointer(memory.Aligned(uint64(len(r.body))))
	r.At = next
	next += driver.Pointer(memory.Aligned(stream.HeadBytes))
	for i := range r.conversions {
		c := &r.conversions[i]
		c.from, c.validity, c.to = r.where(r.memory, c.values), r.where(r.memory, c.nulls), next
		r.Columns[c.column] = next
		next += driver.Pointer(memory.Aligned(8 * r.Edges))
	}
}

// describe says where lists and columns are, with the body at an address.
func (r *Chunk) describe(body driver.Pointer, names []string) {
	v := r.view
	r.Vertices = r.where(body, memory.Bytes(v.Vertices()))
	r.Offsets = r.where(body, memory.Bytes(v.Offsets()))
	r.Neighbors = r.where(body, memory.Bytes(v.Neighbors()))
	for i, name := range names {
		values, _ := v.Column(name)
		r.Columns[i] = r.where(body, valuesOf(values))
	}
}

// where is the address of a part of the body, with that at an address.
func (r *Chunk) where(body driver.Pointer, part []byte) driver.Pointer {
	if len(part) == 0 {
		return 0
	}
	return body + memory.AddressOf(part) - memory.AddressOf(r.body)
}
