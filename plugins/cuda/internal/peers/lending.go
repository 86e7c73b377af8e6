// Package peers gives chunks from one device of a run to another, of which each may be a process of its own. The next
// device copies over NVLink or PCIe what this one has copied from the host.
//
//	Upload with Export ──▶ chunk in Lending ──Export──▶ Event.Export ──host──▶ Command.Import ──▶ Borrowing
//	Lending     one allocation of this process, for chunks that others copy        (lending.go)
//	Borrowing   allocations of other processes, opened here                        (borrowing.go)
//
// A device that cannot lend or borrow says why, and the chunk comes by the arena.
package peers

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
)

// Name is Description.Peers: chunks are given to other processes by the driver's handles.
const Name = "cuda-ipc"

// Lending is memory for chunks that other devices of the run copy from here: one allocation, since a handle names a
// whole one, and takes long to open.
type Lending struct {
	Refused error // why there is none

	slab   driver.Pointer // 0: there is none
	handle driver.Handle
	space  memory.Space
}

// Open allocates so many bytes, once.
func (l *Lending) Open(c *driver.Context, size func() uint64) {
	if l.slab != 0 || l.Refused != nil {
		return
	}
	bytes := size()
	l.slab, l.handle, l.Refused = c.AllocShared(bytes)
	l.space = memory.NewSpace(bytes)
}

// Take is memory for a chunk, and how much is taken there: so much that chunks of about the same size take the same,
// and one fits where another was; if there is no room for that, no more than is needed; else nothing.
func (l *Lending) Take(bytes uint64) (at driver.Pointer, taken uint64) {
	if l.slab == 0 {
		return 0, 0
	}
	for _, size := range []uint64{sizeClass(bytes), bytes} {
		if at, ok := l.space.Take(size); ok {
			return l.slab + driver.Pointer(at), size
		}
	}
	return 0, 0
}

// sizeClass is the next number of which 32 lie between one power of two and the next (Masmano et al., "TLSF",
// ECRTS'04).
func sizeClass(bytes uint64) uint64 {
	step := max(64, uint64(1)<<bits.Len64(bytes)>>6)
	return (bytes + step - 1) / step * step
}

// Give takes back what Take has given.
func (l *Lending) Give(at driver.Pointer, taken uint64) { l.space.Give(uint64(at-l.slab), taken) }

// Close frees the allocation.
func (l *Lending) Close(c *driver.Context) error { return c.FreeShared(l.slab) }
