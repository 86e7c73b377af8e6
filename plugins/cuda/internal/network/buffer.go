package network

import (
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
)

// buffer is memory of the card, in a slab that all of a task is in.
type buffer struct {
	bytes       uint64
	at          uint64 // in the slab
	first, last int    // steps of a pass between which it is used; else it is kept
	kept        bool
	within      *buffer // of which it is a part, from at on; nil: of the slab
}

// offset is where b is in the slab.
func (b *buffer) offset() uint64 {
	if b.within != nil {
		return b.within.at + b.at
	}
	return b.at
}

// roomy is more than any card has.
const roomy = 1 << 56

const alignment = 256

func aligned(bytes uint64) uint64 { return (bytes + alignment - 1) / alignment * alignment }

// place gives each of buffers, which are used between steps, a place from base on, so that those that are not used at
// the same time may share it, and returns where the last ends.
func place(buffers []*buffer, steps int, base uint64) (end uint64) {
	space, end := memory.NewSpace(roomy), base
	begins, ends := make([][]*buffer, steps), make([][]*buffer, steps)
	for _, b := range buffers {
		begins[b.first] = append(begins[b.first], b)
		ends[b.last] = append(ends[b.last], b)
	}
	for i := range steps {
		for _, b := range begins[i] {
			if bytes := aligned(b.bytes); bytes > 0 {
				at, _ := space.Take(bytes)
				b.at = base + at
				end = max(end, b.at+bytes)
			}
		}
		for _, b := range ends[i] {
			if bytes := aligned(b.bytes); bytes > 0 {
				space.Give(b.at-base, bytes)
			}
		}
	}
	return end
}
