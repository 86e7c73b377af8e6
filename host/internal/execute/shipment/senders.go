package shipment

import (
	"iter"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/internal/schedule"
)

// Senders are active vertices of an interval, as they were at one time.
type Senders struct {
	chunk.Interval
	Words []uint64 // of the bitmap, from the word of Base on; nil: all of the interval
}

// TakeSenders copies the active set's part in an interval, which the device may be changing: those that
// are near; without a priority, all.
func TakeSenders(active []uint64, i chunk.Interval, priority *schedule.Priority) Senders {
	s := Senders{Interval: i, Words: []uint64{}}
	for at := i.Base / 64; at*64 < i.End(); at++ {
		s.Words = append(s.Words, priority.Near(at, atomic.LoadUint64(&active[at])&schedule.Within(at, i)))
	}
	return s
}

// addTo puts the senders into a bitmap over all vertices.
func (s Senders) addTo(set []uint64) {
	for at := s.Base / 64; at*64 < s.End(); at++ {
		if s.Words == nil {
			set[at] |= schedule.Within(at, s.Interval)
		} else {
			set[at] |= s.Words[at-s.Base/64] & schedule.Within(at, s.Interval)
		}
	}
}

// Select takes the senders' lists out of a chunk, whose rows may reach beyond the interval.
func (s Senders) Select(c *chunk.Chunk, places chunk.Places) cut.Selection {
	words, first := s.Words, s.first()
	if rows := c.Meta().Rows; rows.Base < first || rows.End() > first+64*uint64(len(words)) || rows.Count > s.Count {
		all := Senders{Interval: rows}
		first = all.first()
		words = make([]uint64, (rows.End()-first+63)/64)
		for v := range s.Members() {
			words[(v-first)/64] |= 1 << (v % 64)
		}
	}
	return cut.Select(c, words, first, places)
}

// Members yields the senders of Words, ascending.
func (s Senders) Members() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		first := s.first()
		for v := range schedule.Bitmap(s.Words).Members(chunk.Interval{Base: s.Base - first, Count: s.Count}) {
			if !yield(first + v) {
				return
			}
		}
	}
}

// first is the vertex of the first bit of Words.
func (s Senders) first() uint64 { return s.Base / 64 * 64 }

// count is how many they are.
func (s Senders) count() uint64 {
	return schedule.Bitmap(s.Words).Count(chunk.Interval{Base: s.Base - s.first(), Count: s.Count})
}

// demand adds up their degrees.
func (s Senders) demand(degrees []uint32) uint64 {
	return schedule.Bitmap(s.Words).Demand(chunk.Interval{Base: s.Base - s.first(), Count: s.Count}, degrees[s.first():],
		chunk.Places{})
}

// Before is the part below a vertex.
func (s Senders) Before(v uint64) Senders {
	s.Count = v - s.Base
	return s
}

// From is the rest.
func (s Senders) From(v uint64) Senders {
	s.Words = s.Words[v/64-s.Base/64:]
	s.Base, s.Count = v, s.End()-v
	return s
}
