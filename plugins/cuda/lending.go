package cuda

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// peersName is Description.Peers: chunks are given to other processes by the driver's handles.
const peersName = "cuda-ipc"

// lending is memory for chunks that other devices of the run copy from here: one allocation, since a handle names a
// whole one, and takes long to open. The next device copies over NVLink or PCIe what this one has copied from the host.
//
//	Upload with Export ──▶ chunk in slab ──export──▶ Event.Export ──host──▶ Command.Import ──▶ borrowing
type lending struct {
	slab    driver.Pointer // 0: there is none
	handle  driver.Handle
	space   memory.Space
	refused error // why there is none
}

// export is what Event.Export says.
type export struct {
	Card            [40]byte // its UUID
	Handle          driver.Handle
	Offset          uint64 // of the chunk's lists, in what the handle names
	Skipped, Length uint64 // which part of the encoded chunk they are
}

// lend takes memory for a chunk that is to be exported. It tells whether there was any.
func (s *session) lend(r *resident) bool {
	l := &s.lending
	if l.slab == 0 && l.refused == nil {
		l.open(s, r.bytes)
	}
	if l.slab == 0 {
		return false
	}
	var at uint64
	if at, r.lent = l.take(r.bytes); r.lent == 0 {
		return false
	}
	r.memory = l.slab + driver.Pointer(at)
	return true
}

// take is a place, and how much is taken there: so much that chunks of about the same size take the same, and one
// fits where another was; if there is no room for that, no more than is needed; else nothing.
func (l *lending) take(bytes uint64) (at, taken uint64) {
	for _, size := range []uint64{sizeClass(bytes), bytes} {
		if at, ok := l.space.Take(size); ok {
			return at, size
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

// open takes the slab: as much as the budget leaves to chunks, or all of them take.
func (l *lending) open(s *session, first uint64) {
	size := s.allChunks()
	if limit := s.budget.Limit; limit > 0 {
		size = min(size, limit-(s.budget.Used-first))
	}
	l.slab, l.handle, l.refused = s.card.Context.AllocShared(size)
	l.space = memory.NewSpace(size)
}

// allChunks is about as much as all chunks of the run take. What is more is not lent.
func (s *session) allChunks() uint64 {
	g := s.job.Graph
	edges := 2 * g.Edges
	if g.Directed {
		edges = uint64(len(s.plan.Directions)) * g.Edges
	}
	const neighbor, column, row = 4, 8 + 8 + 1, 16 // a column may be converted, and have nulls
	return 1<<20 + edges*(neighbor+column*uint64(len(s.task.edgeColumns()))) + row*2*g.Vertices
}

// giveLent takes the memory of a chunk back.
func (s *session) giveLent(r *resident) {
	s.lending.space.Give(uint64(r.memory-s.lending.slab), r.lent)
}

// exported says where a chunk's lists are, of so many bytes.
func (s *session) exported(r *resident, length uint64) string {
	if r.lent == 0 {
		return ""
	}
	e := export{Handle: s.lending.handle, Offset: uint64(r.memory - s.lending.slab), Skipped: r.skipped, Length: length}
	copy(e.Card[:], s.card.Context.Card.UUID)
	text, _ := binary.Append(nil, binary.LittleEndian, e) // of numbers alone it cannot fail
	return string(text)
}

// declined is why a chunk has not been borrowed, or is not lent. That there is no hole for one is nothing to tell of.
func (s *session) declined(u *upload) string {
	if err := cmp.Or(u.declined, s.lending.refused); err != nil {
		return err.Error()
	}
	return ""
}

func parseExport(text string) (e export, err error) {
	if binary.Size(e) != len(text) {
		return e, fmt.Errorf("an export of %d bytes; expected %d", len(text), binary.Size(e))
	}
	_, err = binary.Decode([]byte(text), binary.LittleEndian, &e)
	return e, err
}

func (e export) card() string { return string(bytes.TrimRight(e.Card[:], "\x00")) }
